#include "device/opencl_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "device/command_queues.h"
#include "device/opencl_error.h"
#include "device/opencl_event.h"
#include "device/opencl_kernel.h"
#include "device/part.h"

namespace vyre::device {
namespace {

cl_event raw_event(void* event) { return static_cast<cl_event>(event); }

Result<void> wait_for_command(void* event) {
  const cl_int code = wait_for(raw_event(event));
  if (code != CL_SUCCESS) return opencl_failure("it", code);
  return {};
}

Result<std::uint64_t> command_ns(void* event) {
  VYRE_CHECK(wait_for_command(event));
  const auto took = duration(raw_event(event), raw_event(event));
  if (!took) return opencl_failure("reading the time of a command", took.error());
  return took->value_or(0);
}

Result<std::uint64_t> untimed_command(void* event) {
  VYRE_CHECK(wait_for_command(event));
  return not_timed();
}

Failure no_clock() {
  return fail(ErrorKind::limit, "the device has no clock for the times of commands");
}

Result<std::uint64_t> clockless_command(void* event) {
  VYRE_CHECK(wait_for_command(event));
  return no_clock();
}

constexpr Event::Driver event_driver(Result<std::uint64_t> (*elapsed_ns)(void*)) {
  return {.state = [](void* event) { return command_state(raw_event(event)); },
          .wait = wait_for_command,
          .elapsed_ns = elapsed_ns,
          .retain = [](void* event) { opencl().retain_event(raw_event(event)); },
          .release = [](void* event) { opencl().release_event(raw_event(event)); }};
}
constexpr Event::Driver timed_event = event_driver(command_ns);
constexpr Event::Driver untimed_event = event_driver(untimed_command);
constexpr Event::Driver clockless_event = event_driver(clockless_command);

class OpenclQueue final : public Queue {
 public:
  OpenclQueue(const Device& owner, QueueHandle queue, const QueueOptions& options, OtherQueue timed)
      : owner_(owner),
        queues_(std::move(queue)),
        make_timed_(std::move(timed)),
        events_(events_for(options.timed, make_timed_ != nullptr)),
        always_timed_(options.timed) {}

  [[nodiscard]] Result<Event> launch(Kernel& kernel, std::span<const Argument> arguments,
                                     const Shape& shape) override {
    VYRE_TRY(OpenclKernel* const own, own_kernel(owner_, kernel));
    VYRE_CHECK(own->prepare(arguments, shape));
    const auto done = enqueue(
        [own](cl_command_queue queue, cl_event* event) { return own->enqueue(queue, event); });
    if (done.code != CL_SUCCESS) return own->failure(done.code);
    return Event(*done.driver, done.event);
  }
  [[nodiscard]] Result<Event> write(const Part& to, std::span<const std::byte> from) override;
  [[nodiscard]] Result<Event> copy(const Part& to, const Part& from) override;
  [[nodiscard]] Result<Event> fill(const Part& to, std::span<const std::byte> pattern) override;
  [[nodiscard]] Result<void> read(std::span<std::byte> to, const Part& from) override;
  [[nodiscard]] Result<std::span<std::byte>> map(const Part& part) override;
  [[nodiscard]] Result<void> unmap(const Part& part, std::span<std::byte> memory) override;
  [[nodiscard]] Result<void> set_timed(bool timed) override;
  [[nodiscard]] const Event* first_failed(std::span<const Event* const> events) override;
  [[nodiscard]] Result<void> finish() override;

 private:
  [[nodiscard]] static const Event::Driver& events_for(bool timed, bool has_clock) {
    return !timed ? untimed_event : has_clock ? timed_event : clockless_event;
  }
  struct Enqueued {
    cl_int code = CL_SUCCESS;
    cl_event event = nullptr;
    const Event::Driver* driver = nullptr;
  };
  template <class Command>
  [[nodiscard]] Enqueued enqueue(const Command& command) {
    Enqueued made;
    made.code = queues_.enqueue(
        [&](cl_command_queue queue, cl_event* event) {
          made.driver = queues_.is_first(queue) ? &events_ : &timed_event;
          return command(queue, event);
        },
        &made.event);
    return made;
  }
  // The event of a command, or why it was refused.
  template <class Command>
  [[nodiscard]] Result<Event> enqueue(const std::string& what, const Command& command) {
    const Enqueued made = enqueue(command);
    if (made.code != CL_SUCCESS) return opencl_failure(what, made.code);
    return Event(*made.driver, made.event);
  }

  const Device& owner_;
  CommandQueues queues_;  // the second is timed
  OtherQueue make_timed_;
  const Event::Driver& events_;  // of the first
  const bool always_timed_;
};

Result<Event> OpenclQueue::write(const Part& to, std::span<const std::byte> from) {
  VYRE_TRY(const OpenclBuffer* const own, part_of(owner_, to));
  if (to.bytes == 0) return Event();
  return enqueue(fmt::format("writing {} bytes to the device", to.bytes),
                 [&](cl_command_queue queue, cl_event* event) {
                   return opencl().enqueue_write_buffer(queue, own->memory(), CL_FALSE, to.offset,
                                                        to.bytes, from.data(), 0, nullptr, event);
                 });
}

Result<Event> OpenclQueue::copy(const Part& to, const Part& from) {
  VYRE_TRY(const OpenclBuffer* const target, part_of(owner_, to));
  VYRE_TRY(const OpenclBuffer* const source, part_of(owner_, from));
  if (to.bytes == 0) return Event();
  return enqueue(fmt::format("copying {} bytes on the device", to.bytes),
                 [&](cl_command_queue queue, cl_event* event) {
                   return opencl().enqueue_copy_buffer(queue, source->memory(), target->memory(),
                                                       from.offset, to.offset, to.bytes, 0, nullptr,
                                                       event);
                 });
}

Result<Event> OpenclQueue::fill(const Part& to, std::span<const std::byte> pattern) {
  VYRE_TRY(const OpenclBuffer* const own, part_of(owner_, to));
  if (to.bytes == 0) return Event();
  return enqueue(fmt::format("filling {} bytes on the device", to.bytes),
                 [&](cl_command_queue queue, cl_event* event) {
                   return opencl().enqueue_fill_buffer(queue, own->memory(), pattern.data(),
                                                       pattern.size(), to.offset, to.bytes, 0,
                                                       nullptr, event);
                 });
}

Result<void> OpenclQueue::read(std::span<std::byte> to, const Part& from) {
  VYRE_TRY(const OpenclBuffer* const own, part_of(owner_, from));
  if (from.bytes == 0) return {};
  const cl_int code =
      opencl().enqueue_read_buffer(queues_.active(), own->memory(), CL_TRUE, from.offset,
                                   from.bytes, to.data(), 0, nullptr, nullptr);
  if (code == CL_SUCCESS) return {};
  return opencl_failure(fmt::format("reading {} bytes from the device", from.bytes), code);
}

Result<std::span<std::byte>> OpenclQueue::map(const Part& part) {
  VYRE_TRY(const OpenclBuffer* const own, part_of(owner_, part));
  if (part.bytes == 0) return std::span<std::byte>();
  cl_int code = CL_SUCCESS;
  void* memory = opencl().enqueue_map_buffer(queues_.active(), own->memory(), CL_TRUE,
                                             CL_MAP_READ | CL_MAP_WRITE, part.offset, part.bytes, 0,
                                             nullptr, nullptr, &code);
  if (code != CL_SUCCESS) {
    return opencl_failure(fmt::format("mapping {} bytes of the device", part.bytes), code);
  }
  return std::span(static_cast<std::byte*>(memory), part.bytes);
}

Result<void> OpenclQueue::unmap(const Part& part, std::span<std::byte> memory) {
  VYRE_TRY(const OpenclBuffer* const own, part_of(owner_, part));
  if (memory.empty()) return {};
  const auto done = enqueue("giving mapped memory back to the device",
                            [&](cl_command_queue queue, cl_event* event) {
                              return opencl().enqueue_unmap_mem_object(
                                  queue, own->memory(), memory.data(), 0, nullptr, event);
                            });
  if (!done) return Unexpected(done.error());
  return {};
}

Result<void> OpenclQueue::set_timed(bool timed) {
  if (always_timed_) return {};
  if (timed && make_timed_ == nullptr) return no_clock();
  return queues_.switch_to(timed, make_timed_);
}

// In pieces that need no allocation: one of many bytes, at every look, would make the allocator
// tidy up, and the driver's own allocations slow.
const Event* OpenclQueue::first_failed(std::span<const Event* const> events) {
  std::array<cl_event, 64> raw{};
  while (!events.empty()) {
    const auto piece = events.first(std::min(events.size(), raw.size()));
    events = events.subspan(piece.size());
    cl_uint count = 0;
    for (const Event* event : piece) {
      if (event->raw() != nullptr) raw[count++] = raw_event(event->raw());
    }
    const bool ended_well = count == 0 || opencl().wait_for_events(count, raw.data()) == CL_SUCCESS;
    if (ended_well && std::ranges::none_of(piece, &Event::has_earlier)) continue;
    const auto failed =
        std::ranges::find(piece, Event::State::failed, [](const Event* e) { return e->state(); });
    if (failed != piece.end()) return *failed;
  }
  return nullptr;
}

Result<void> OpenclQueue::finish() {
  if (const cl_int code = opencl().finish(queues_.active()); code != CL_SUCCESS) {
    return opencl_failure("waiting for " + owner_.adapter().name, code);
  }
  return {};
}

}  // namespace

std::unique_ptr<Queue> make_opencl_queue(const Device& owner, QueueHandle queue,
                                         const QueueOptions& options, OtherQueue timed) {
  return std::make_unique<OpenclQueue>(owner, std::move(queue), options, std::move(timed));
}

Result<const OpenclBuffer*> part_of(const Device& owner, const Part& part) {
  const OpenclBuffer* own = own_buffer(owner, part.buffer);
  if (own == nullptr) {
    return fail(ErrorKind::input,
                "the buffer belongs to another device than " + owner.adapter().name);
  }
  VYRE_CHECK(check_part(part));
  return own;
}

}  // namespace vyre::device
