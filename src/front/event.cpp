#include "vyre/front/event.h"

#include <fmt/format.h>

#include "front/command.h"

namespace vyre {

Error detail::Command::named(Error error) const {
  error.message = fmt::format("{} failed while it ran: {}", *name_, error.message);
  return error;
}

Result<void> detail::Command::wait() const {
  if (refused_) return told(refused_);
  auto done = event_.wait();
  if (!done) return Failure(named(std::move(done).error()));
  return {};
}

Result<std::uint64_t> detail::Command::elapsed_ns() const {
  VYRE_CHECK(wait());
  return event_.elapsed_ns();
}

bool Event::ended() const {
  return command_ == nullptr || command_->state() != device::Event::State::under_way;
}

Result<void> Event::wait() const {
  if (command_ == nullptr) return {};
  return command_->wait();
}

Result<std::chrono::nanoseconds> Event::elapsed() const {
  if (command_ == nullptr) return std::chrono::nanoseconds(0);
  VYRE_TRY(const std::uint64_t ns, command_->elapsed_ns());
  return std::chrono::nanoseconds(ns);
}

}  // namespace vyre
