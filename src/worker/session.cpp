#include "worker/session.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/memory.h"
#include "worker/place.h"
#include "worker/session_state.h"

namespace vyre::worker {
namespace {

Result<void> check_limits(const Options& options) {
  const std::array limits = {std::pair{"starting a worker", options.start_limit},
                             std::pair{"compiling", options.build_limit},
                             std::pair{"running", options.run_limit}};
  for (const auto& [what, limit] : limits) {
    if (limit.count() > 0) continue;
    return fail(ErrorKind::input,
                fmt::format("the time limit for {} is {} ms, in which nothing can "
                            "be done: give it at least 1 ms",
                            what, limit.count()));
  }
  return {};
}

}  // namespace

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::Session(Session&& other) noexcept = default;
Session& Session::operator=(Session&& other) noexcept = default;
Session::~Session() = default;

Result<Session> Session::start(Options options) {
  if (auto sane = check_limits(options); !sane) return Unexpected(sane.error());
  return within_memory([&] { return start_checked(std::move(options)); });
}

Result<Session> Session::start_checked(Options options) {
  auto program = find_program(options.program);
  if (!program) return Unexpected(program.error());
  auto scratch = Scratch::make(options.scratch);
  if (!scratch) return Unexpected(scratch.error());
  Session made(
      std::make_unique<State>(std::move(options), *std::move(scratch), *std::move(program)));
  if (auto up = made.ready(); !up) return Unexpected(up.error());
  return made;
}

const device::Adapter& Session::adapter() const { return state_->opened().adapter; }
Language Session::language() const { return state_->opened().language; }

Result<KernelId> Session::build(Job job) {
  return with_fresh_worker([&] { return state_->build(std::move(job)); });
}
void Session::forget(KernelId id) { state_->forget(id); }
Result<Output> Session::run(KernelId id, std::span<const Data> likely) {
  return with_fresh_worker([&] { return state_->run(id, likely); });
}
Result<device::Timing> Session::time(KernelId id, std::uint32_t launches) {
  return with_fresh_worker([&] { return state_->time(id, launches); });
}

// A message may have been left half way; and a worker without memory has no more the next time.
template <class Work>
auto Session::with_fresh_worker(const Work& work) -> decltype(work()) {
  auto done = within_memory(work);
  if (!done && done.error() == out_of_memory()) state_->renew();
  return done;
}
Options Session::sharing_cache() const { return state_->sharing_cache(); }
Result<void> Session::ready() { return state_->ready(); }
bool Session::is_warm(KernelId id) const { return state_->is_warm(id); }
bool Session::is_used(KernelId id) const { return state_->is_used(id); }
void Session::renew() { state_->renew(); }

std::uint64_t Session::started() const { return state_->started(); }
void Session::set_limits(const Limits& limits) { state_->set_limits(limits); }
std::chrono::nanoseconds Session::cpu_time() const { return state_->cpu_time(); }
std::optional<pid_t> Session::process() const {
  const auto& process = state_->process();
  return process ? std::optional(process->id()) : std::nullopt;
}
std::string Session::log() const {
  const auto& process = state_->process();
  return process ? process->log() : "";
}

}  // namespace vyre::worker
