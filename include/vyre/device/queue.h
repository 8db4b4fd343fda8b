// Commands for a device that run one after the other, in the order given, while the caller goes on.
//
// A command that the driver accepts may still fail while it runs: only its Event says so. Any
// number of threads may use one queue, but one kernel is launched by one thread at a time. A queue
// must not outlive its device; what a command uses may be destroyed while it waits, but for the
// host's memory.
//
// What this queue does is seen by the device's own calls (Device::read, launch, ...) after a
// finish(), and theirs here when they have returned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "vyre/base/error.h"
#include "vyre/base/launch.h"
#include "vyre/device/device.h"

namespace vyre::device {

// A command under way. Made without an allocation: a loop of launches makes one each time.
class Event {
 public:
  enum class State : std::uint8_t { under_way, done, failed };
  // What a driver does with its own kind of event.
  struct Driver {
    State (*state)(void* event);
    Result<void> (*wait)(void* event);
    Result<std::uint64_t> (*elapsed_ns)(void* event);
    void (*retain)(void* event);
    void (*release)(void* event);
  };

  Event() = default;  // of a command that has ended well
  // Takes the event over.
  Event(const Driver& driver, void* event) : driver_(&driver), event_(event) {}
  Event(Event&& other) noexcept
      : driver_(std::exchange(other.driver_, nullptr)),
        event_(other.event_),
        earlier_(std::move(other.earlier_)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(event_, other.event_);
    std::swap(earlier_, other.earlier_);
    return *this;
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() {
    if (driver_ != nullptr) driver_->release(event_);
  }

  // Of this command and an earlier one of the same queue together, as of one: failed if either did,
  // and as long as both.
  [[nodiscard]] Event after(Event earlier) && {
    earlier_ = std::make_shared<const Event>(std::move(earlier));
    return std::move(*this);
  }

  // Another one of the same command.
  [[nodiscard]] Event share() const {
    Event made;
    made.earlier_ = earlier_;
    if (driver_ == nullptr) return made;
    driver_->retain(event_);
    made.driver_ = driver_;
    made.event_ = event_;
    return made;
  }
  [[nodiscard]] State state() const {
    if (earlier_ != nullptr && earlier_->state() == State::failed) return State::failed;
    return driver_ == nullptr ? State::done : driver_->state(event_);
  }
  // For the end; an error if the command failed.
  [[nodiscard]] Result<void> wait() const {
    if (earlier_ != nullptr) VYRE_CHECK(earlier_->wait());
    return driver_ == nullptr ? Result<void>() : driver_->wait(event_);
  }
  // Whether it is of several commands.
  [[nodiscard]] bool has_earlier() const { return earlier_ != nullptr; }
  // The driver's own, of the last command; null of a command that has ended well.
  [[nodiscard]] void* raw() const { return driver_ == nullptr ? nullptr : event_; }
  // Between start and end by the device's clock; waits for the end. An error if it failed, or if
  // its queue is not timed.
  [[nodiscard]] Result<std::uint64_t> elapsed_ns() const {
    std::uint64_t before = 0;
    if (earlier_ != nullptr) {
      VYRE_TRY(before, earlier_->elapsed_ns());
    }
    auto own = driver_ == nullptr ? Result<std::uint64_t>(0U) : driver_->elapsed_ns(event_);
    if (own) *own += before;
    return own;
  }

 private:
  const Driver* driver_ = nullptr;
  void* event_ = nullptr;
  std::shared_ptr<const Event> earlier_;
};

// Bytes of a buffer.
struct Part {
  Buffer* buffer = nullptr;
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

class Queue {
 public:
  virtual ~Queue() = default;

  // As Device::launch, without the wait.
  [[nodiscard]] virtual Result<Event> launch(Kernel& kernel, std::span<const Argument> arguments,
                                             const Shape& shape) = 0;
  // All refuse parts that leave their buffer. The memory of `from` must last until the end.
  [[nodiscard]] virtual Result<Event> write(const Part& to, std::span<const std::byte> from) = 0;
  // Parts of equal length that do not overlap.
  [[nodiscard]] virtual Result<Event> copy(const Part& to, const Part& from) = 0;
  // Repeats the 1, 2, 4, 8 or 16 bytes of `pattern`. Offset and length must be multiples of that.
  [[nodiscard]] virtual Result<Event> fill(const Part& to, std::span<const std::byte> pattern) = 0;

  // Waits for everything before it, then copies to the host.
  [[nodiscard]] virtual Result<void> read(std::span<std::byte> to, const Part& from) = 0;
  // The part as host memory, after everything before it; nothing else may use the buffer until it
  // is given back.
  [[nodiscard]] virtual Result<std::span<std::byte>> map(const Part& part) = 0;
  [[nodiscard]] virtual Result<void> unmap(const Part& part, std::span<std::byte> memory) = 0;

  // Whether the events of commands from now on know how long their command took, while what is
  // enqueued stays in order. Nothing to do for a queue that was made timed; an error where the
  // device has no clock.
  [[nodiscard]] virtual Result<void> set_timed(bool timed) = 0;

  // Waits for these commands of this queue, and gives the first that failed. Cheaper than to wait
  // for each.
  [[nodiscard]] virtual const Event* first_failed(std::span<const Event* const> events) = 0;
  // Waits for everything. What failed is known by events only.
  [[nodiscard]] virtual Result<void> finish() = 0;
};

}  // namespace vyre::device
