#include "vyre/front/event.h"

#include <fmt/format.h>

#include "device/part.h"
#include "front/command.h"
#include "front/context_state.h"

namespace vyre {

Error detail::failed_while_running(const std::string& name, Error error) {
  error.message = fmt::format("{} failed while it ran: {}", name, error.message);
  return error;
}

Result<void> detail::Command::wait() const {
  if (refused_) return told(refused_);
  auto done = event_.wait();
  if (!done) return Failure(failed_while_running(name_, std::move(done).error()));
  return {};
}

Result<std::uint64_t> detail::Command::elapsed_ns() const {
  VYRE_CHECK(wait());
  return event_.elapsed_ns();
}

bool Event::ended() const {
  if (context_ != nullptr) return context_->has_ended(number_);
  return command_ == nullptr || command_->state() != device::Event::State::under_way;
}

Result<void> Event::wait() const {
  if (context_ != nullptr) return context_->wait(number_);
  return command_ == nullptr ? Result<void>() : command_->wait();
}

Result<std::chrono::nanoseconds> Event::elapsed() const {
  VYRE_CHECK(wait());
  if (context_ != nullptr) return device::not_timed();
  if (command_ == nullptr) return std::chrono::nanoseconds(0);
  VYRE_TRY(const std::uint64_t ns, command_->elapsed_ns());
  return std::chrono::nanoseconds(ns);
}

}  // namespace vyre
