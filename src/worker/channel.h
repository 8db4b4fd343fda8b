// Messages over one end of a socket pair: a magic number, a length, that many bytes.
//
// Nothing waits longer than its deadline, and nothing longer than its bound is taken. The first
// error is the last: the channel is then of no more use.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vyre/base/expected.h"

namespace vyre::worker {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;  // none: wait for ever

struct ChannelError {
  enum class Kind : std::uint8_t { timed_out, closed, garbage };
  Kind kind = Kind::closed;
  std::string detail;
};
template <class T>
using ChannelResult = Expected<T, ChannelError>;

class Channel {
 public:
  // Takes the descriptor over.
  explicit Channel(int descriptor) : descriptor_(descriptor) {}
  // Asked some times a second by whoever waits: once it is true, it is too late.
  void give_up_when(std::function<bool()> too_late) { too_late_ = std::move(too_late); }
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&& other) noexcept;
  ~Channel();

  [[nodiscard]] ChannelResult<void> send(std::span<const std::byte> message, Deadline deadline);
  [[nodiscard]] ChannelResult<std::vector<std::byte>> receive(std::uint64_t max_bytes,
                                                              Deadline deadline);

 private:
  [[nodiscard]] ChannelResult<void> wait(short events, Deadline deadline) const;
  [[nodiscard]] ChannelResult<void> send_all(std::span<const std::byte> bytes, Deadline deadline);
  [[nodiscard]] ChannelResult<void> receive_all(std::span<std::byte> bytes, Deadline deadline);

  int descriptor_ = -1;
  std::function<bool()> too_late_;
};

}  // namespace vyre::worker
