#include "worker/channel.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace vyre::worker {
namespace {

using Kind = ChannelError::Kind;

struct Header {
  std::uint64_t magic = 0x314b'5257'4552'5956;  // "VYREWRK1"
  std::uint64_t length = 0;
};

Unexpected<ChannelError> failure(Kind kind, std::string detail) {
  return Unexpected(ChannelError{kind, std::move(detail)});
}

// For poll: rounded up, so that it does not spin in the last millisecond.
int milliseconds_left(Deadline deadline) {
  if (!deadline) return -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000'000));
}

}  // namespace

Channel::Channel(Channel&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), too_late_(std::move(other.too_late_)) {}

Channel& Channel::operator=(Channel&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(too_late_, other.too_late_);
  return *this;
}

Channel::~Channel() {
  if (descriptor_ >= 0) close(descriptor_);
}

// Milliseconds after which it is asked whether it is too late.
constexpr int slice = 20;

ChannelResult<void> Channel::wait(short events, Deadline deadline) const {
  pollfd polled{.fd = descriptor_, .events = events, .revents = 0};
  for (;;) {
    if (too_late_ && too_late_()) return failure(Kind::timed_out, "");
    const int left = milliseconds_left(deadline);
    const int ready = poll(&polled, 1, too_late_ && (left < 0 || left > slice) ? slice : left);
    if (ready > 0) return {};
    if (ready == 0 && left == 0) return failure(Kind::timed_out, "");
    if (ready < 0 && errno != EINTR) return failure(Kind::closed, std::strerror(errno));
  }
}

// A worker that is gone is an error here, not a SIGPIPE in the program that uses the library.
ChannelResult<void> Channel::send_all(std::span<const std::byte> bytes, Deadline deadline) {
  while (!bytes.empty()) {
    const ssize_t sent =
        ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
      if (auto ready = wait(POLLOUT, deadline); !ready) return ready;
    } else {
      return failure(Kind::closed, std::strerror(errno));
    }
  }
  return {};
}

ChannelResult<void> Channel::receive_all(std::span<std::byte> bytes, Deadline deadline) {
  while (!bytes.empty()) {
    const ssize_t got = ::recv(descriptor_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(got));
    } else if (got == 0) {
      return failure(Kind::closed, "end of file");
    } else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
      if (auto ready = wait(POLLIN, deadline); !ready) return ready;
    } else {
      return failure(Kind::closed, std::strerror(errno));
    }
  }
  return {};
}

ChannelResult<void> Channel::send(std::span<const std::byte> message, Deadline deadline) {
  const Header header{.length = message.size()};
  if (auto sent = send_all(std::as_bytes(std::span(&header, 1)), deadline); !sent) return sent;
  return send_all(message, deadline);
}

ChannelResult<std::vector<std::byte>> Channel::receive(std::uint64_t max_bytes, Deadline deadline) {
  Header header;
  const auto got = receive_all(std::as_writable_bytes(std::span(&header, 1)), deadline);
  if (!got) return Unexpected(got.error());
  if (header.magic != Header{}.magic) return failure(Kind::garbage, "it does not start as one");
  if (header.length > max_bytes) {
    return failure(Kind::garbage, fmt::format("it claims {} bytes where at most {} make sense",
                                              header.length, max_bytes));
  }
  std::vector<std::byte> message(header.length);
  if (auto body = receive_all(message, deadline); !body) return Unexpected(body.error());
  return message;
}

}  // namespace vyre::worker
