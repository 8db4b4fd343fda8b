// A call that was enqueued: whether it has ended, how, and how long it took.
//
// Events may be copied, kept and dropped. Nothing is lost if nobody looks at one: the context keeps
// the first error for finish().
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "vyre/base/error.h"

namespace vyre {

namespace detail {
class Command;
class ContextState;
}  // namespace detail

class Event {
 public:
  Event() = default;  // of nothing: it has ended
  explicit Event(std::shared_ptr<const detail::Command> command) : command_(std::move(command)) {}
  Event(std::shared_ptr<detail::ContextState> context, std::uint64_t number)
      : context_(std::move(context)), number_(number) {}

  // Well or not; does not wait.
  [[nodiscard]] bool ended() const;
  // For the end. An error if the call was refused, or if it failed while it ran; it names the
  // kernel.
  Result<void> wait() const;
  // On the device, from start to end; waits for the end. Needs a context that was opened with
  // `.timed = true`: some drivers pay for it at every call.
  [[nodiscard]] Result<std::chrono::nanoseconds> elapsed() const;

 private:
  // The number of a command of a context; or, of one that was refused or that is timed, itself.
  std::shared_ptr<detail::ContextState> context_;
  std::uint64_t number_ = 0;
  std::shared_ptr<const detail::Command> command_;
};

}  // namespace vyre
