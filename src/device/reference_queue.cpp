#include "device/reference_queue.h"

#include <algorithm>
#include <mutex>

#include "device/part.h"
#include "device/reference_kernel.h"

namespace vyre::device {
namespace {

// The event of a command that took so long is the number itself.
constexpr Event::Driver ended_event = {.state = [](void*) { return Event::State::done; },
                                       .wait = [](void*) { return Result<void>(); },
                                       .elapsed_ns = [](void* took) -> Result<std::uint64_t> {
                                         return reinterpret_cast<std::uintptr_t>(took);
                                       },
                                       .retain = [](void*) {},
                                       .release = [](void*) {}};
constexpr Event::Driver ended_untimed_event = {
    .state = ended_event.state,
    .wait = ended_event.wait,
    .elapsed_ns = [](void*) -> Result<std::uint64_t> { return not_timed(); },
    .retain = ended_event.retain,
    .release = ended_event.release};

Result<std::span<std::byte>> bytes_of_part(const Part& part) {
  auto* own = dynamic_cast<ReferenceBuffer*>(part.buffer);
  if (own == nullptr) {
    return fail(ErrorKind::input, "the buffer belongs to another device than the reference");
  }
  VYRE_CHECK(check_part(part));
  return own->content().subspan(part.offset, part.bytes);
}

class ReferenceQueue final : public Queue {
 public:
  ReferenceQueue(Device& owner, bool timed) : owner_(owner), timed_(timed), always_timed_(timed) {}

  [[nodiscard]] Result<Event> launch(Kernel& kernel, std::span<const Argument> arguments,
                                     const Shape& shape) override {
    const std::lock_guard guard(mutex_);
    VYRE_TRY(const Timing timing, owner_.time(kernel, arguments, shape));
    const std::uintptr_t took = timing.device_ns;
    return Event(events(), reinterpret_cast<void*>(took));  // NOLINT(performance-no-int-to-ptr)
  }
  [[nodiscard]] Result<Event> write(const Part& to, std::span<const std::byte> from) override {
    const std::lock_guard guard(mutex_);
    VYRE_TRY(const auto target, bytes_of_part(to));
    std::ranges::copy(from, target.begin());
    return Event(events(), nullptr);
  }
  [[nodiscard]] Result<Event> copy(const Part& to, const Part& from) override {
    const std::lock_guard guard(mutex_);
    VYRE_TRY(const auto target, bytes_of_part(to));
    VYRE_TRY(const auto source, bytes_of_part(from));
    std::ranges::copy(source, target.begin());
    return Event(events(), nullptr);
  }
  [[nodiscard]] Result<Event> fill(const Part& to, std::span<const std::byte> pattern) override {
    const std::lock_guard guard(mutex_);
    VYRE_TRY(const auto target, bytes_of_part(to));
    for (std::size_t i = 0; i < target.size(); ++i) target[i] = pattern[i % pattern.size()];
    return Event(events(), nullptr);
  }
  [[nodiscard]] Result<void> read(std::span<std::byte> to, const Part& from) override {
    const std::lock_guard guard(mutex_);
    VYRE_TRY(const auto source, bytes_of_part(from));
    std::ranges::copy(source, to.begin());
    return {};
  }
  [[nodiscard]] Result<std::span<std::byte>> map(const Part& part) override {
    const std::lock_guard guard(mutex_);
    return bytes_of_part(part);
  }
  [[nodiscard]] Result<void> unmap(const Part&, std::span<std::byte>) override { return {}; }
  [[nodiscard]] const Event* first_failed(std::span<const Event* const>) override {
    return nullptr;
  }
  [[nodiscard]] Result<void> finish() override { return {}; }
  [[nodiscard]] Result<void> set_timed(bool timed) override {
    const std::lock_guard guard(mutex_);
    timed_ = timed || always_timed_;
    return {};
  }

 private:
  [[nodiscard]] const Event::Driver& events() const {
    return timed_ ? ended_event : ended_untimed_event;
  }

  std::mutex mutex_;  // one command at a time
  Device& owner_;
  bool timed_;
  const bool always_timed_;
};

}  // namespace

std::unique_ptr<Queue> make_reference_queue(Device& owner, bool timed) {
  return std::make_unique<ReferenceQueue>(owner, timed);
}

}  // namespace vyre::device
