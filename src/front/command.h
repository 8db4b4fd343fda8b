// What an Event stands for, and the errors that are kept until somebody sees them.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

class Command {
 public:
  using Name = std::shared_ptr<const std::string>;

  // `host` is what it copies from.
  Command(device::Event event, Name name, std::vector<std::byte> host)
      : event_(std::move(event)), name_(std::move(name)), host_(std::move(host)) {}
  explicit Command(Kept refused) : refused_(std::move(refused)) {}

  [[nodiscard]] device::Event::State state() const {
    return refused_ ? device::Event::State::failed : event_.state();
  }
  [[nodiscard]] const device::Event& event() const { return event_; }
  [[nodiscard]] Result<void> wait() const;
  [[nodiscard]] Result<std::uint64_t> elapsed_ns() const;

 private:
  [[nodiscard]] Error named(Error error) const;

  device::Event event_;
  Name name_;
  std::vector<std::byte> host_;
  Kept refused_;
};

}  // namespace vyre::detail
