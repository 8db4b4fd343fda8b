// A call that was enqueued: whether it has ended, how, and how long it took.
//
// Events may be copied, kept and dropped. Nothing is lost if nobody looks at one: the context keeps
// the first error for finish().
#pragma once

#include <chrono>
#include <memory>

#include "vyre/base/error.h"

namespace vyre {

namespace detail {
class Command;
}

class Event {
 public:
  Event() = default;  // of nothing: it has ended
  explicit Event(std::shared_ptr<const detail::Command> command) : command_(std::move(command)) {}

  // Well or not; does not wait.
  [[nodiscard]] bool ended() const;
  // For the end. An error if the call was refused, or if it failed while it ran; it names the
  // kernel.
  Result<void> wait() const;
  // On the device, from start to end; waits for the end. Needs a context that was opened with
  // `.timed = true`: some drivers pay for it at every call.
  [[nodiscard]] Result<std::chrono::nanoseconds> elapsed() const;

 private:
  std::shared_ptr<const detail::Command> command_;
};

}  // namespace vyre
