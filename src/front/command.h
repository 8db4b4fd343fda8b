// What an Event stands for where a number is not enough, and the errors that are kept until
// somebody sees them.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "vyre/base/error.h"
#include "vyre/device/queue.h"

namespace vyre::detail {

// An error that more than one may come to know: by its event, by an array, by finish().
struct KeptError {
  explicit KeptError(Error what) : error(std::move(what)) {}
  Error error;
  std::atomic<bool> seen = false;
};
using Kept = std::shared_ptr<KeptError>;

// As the answer to a caller, who thereby knows it.
[[nodiscard]] inline Failure told(const Kept& kept) {
  kept->seen = true;
  return Failure(kept->error);
}

// "heat failed while it ran: ...".
[[nodiscard]] Error failed_while_running(const std::string& name, Error error);

// One that was refused, or one that can be asked how long it took.
class Command {
 public:
  Command(device::Event event, std::string name)
      : event_(std::move(event)), name_(std::move(name)) {}
  explicit Command(Kept refused) : refused_(std::move(refused)) {}

  [[nodiscard]] device::Event::State state() const {
    return refused_ ? device::Event::State::failed : event_.state();
  }
  [[nodiscard]] Result<void> wait() const;
  [[nodiscard]] Result<std::uint64_t> elapsed_ns() const;

 private:
  device::Event event_;
  std::string name_;
  Kept refused_;
};

}  // namespace vyre::detail
