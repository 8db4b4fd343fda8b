// A session's dealings with its worker process: start it, ask it, notice that it is lost.
#include <fmt/format.h>

#include <utility>

#include "worker/session_state.h"

namespace vyre::worker {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// A kernel that crashes is reported with its signal: that takes a moment longer than the end of its
// channel.
constexpr auto grace = 2000ms;

std::string seconds(std::chrono::milliseconds limit) {
  return fmt::format("{:g} s", static_cast<double>(limit.count()) / 1000);
}

}  // namespace

void Session::State::renew() {
  process_.reset();
  built_.clear();
  warm_.clear();
  held_.clear();
  users_.clear();
}

std::unexpected<Error> Session::State::lost(const ChannelTrouble& trouble, const Stage& stage) {
  using What = ChannelTrouble::What;
  std::string message;
  ErrorKind kind = stage.lost;
  if (trouble.what == What::timed_out) {
    message =
        fmt::format("{} took longer than {} and was stopped", stage.doing, seconds(stage.limit));
    if (kind != ErrorKind::no_device) kind = ErrorKind::timeout;
  } else if (trouble.what == What::garbage) {
    message = fmt::format("the worker process answered {} with something that is not an answer: {}",
                          stage.doing, trouble.detail);
  } else {
    const std::string how = process_->end(grace);
    message = fmt::format("{} brought its process down: it {}", stage.doing,
                          how.empty() ? "closed its channel" : how);
  }
  if (const std::string said = process_->said(); !said.empty()) message += "\n" + said;
  renew();
  return fail(kind, std::move(message));
}

Result<Answer> Session::State::exchange(const Request& request, const Stage& stage) {
  Stage at = stage;
  Clock::time_point deadline = Clock::now() + at.limit;
  Channel& channel = process_->channel();
  if (auto sent = channel.send(encode(request), deadline); !sent) return lost(sent.error(), at);
  const auto* run = std::get_if<Run>(&request);
  for (bool may_start = run != nullptr && run->announce;; may_start = false) {
    const auto bytes = channel.receive(at.max_answer, deadline);
    if (!bytes) return lost(bytes.error(), at);
    auto answer = decode_answer(*bytes);
    if (!answer) return lost({ChannelTrouble::What::garbage, "it cannot be read"}, at);
    if (!may_start || !std::holds_alternative<Started>(*answer)) return *std::move(answer);
    at.limit = options_.run_limit;
    at.doing = "running it";
    deadline = Clock::now() + at.limit;
  }
}

Result<void> Session::State::start_worker() {
  renew();
  const std::string cache = scratch_.path().string();
  Command command{.words = {program_, "serve", cache}, .environment = options_.environment};
  // Of a name that is there twice the first counts: the caller's.
  for (const char* name : {"POCL_CACHE_DIR=", "TMPDIR="}) {
    command.environment.push_back(name + cache);
  }
  auto process = Process::start(command);
  if (!process) return std::unexpected(process.error());
  process_ = *std::move(process);
  ++started_;
  auto opened = call<Opened>(Open{options_.device, options_.guards},
                             {.doing = fmt::format("opening device '{}'", options_.device),
                              .limit = options_.start_limit,
                              .lost = ErrorKind::no_device});
  if (!opened) {
    renew();
    return std::unexpected(opened.error());
  }
  if (opened_ && opened_->adapter.id() != opened->adapter.id()) {
    renew();
    return fail(ErrorKind::no_device,
                fmt::format("device '{}' was {} and is now {}: start again", options_.device,
                            opened_->adapter.name, opened->adapter.name));
  }
  opened_ = *std::move(opened);
  return {};
}

Result<void> Session::State::ready() {
  if (process_) return {};
  return start_worker();
}

}  // namespace vyre::worker
