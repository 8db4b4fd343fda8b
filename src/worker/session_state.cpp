#include "worker/session_state.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"

namespace vyre::worker {
namespace {

// What stands around the content of a buffer in its message, generously.
constexpr std::size_t frame_bytes = 65536;
// Where limits are of CPU time: so many times as long by the clock.
constexpr int waits_for_a_core = 10;

}  // namespace

Session::State::State(Options options, Scratch scratch, std::string program)
    : options_(std::move(options)),
      limits_(limits_of(options_)),
      scratch_(std::move(scratch)),
      program_(std::move(program)) {}

void Session::State::renew() {
  if (process_) ended_cpu_time_ += process_->cpu_time();
  process_.reset();
  built_.clear();
  warm_.clear();
  uploaded_.clear();
  executed_.clear();
}

Failure Session::State::lost(const ChannelError& error, const Stage& stage) {
  const bool late = error.kind == ChannelError::Kind::timed_out;
  ended_cpu_time_ += process_->cpu_time();
  std::string message = process_->lost(error, stage.doing, stage.limit);
  renew();
  return fail(late && stage.lost != ErrorKind::no_device ? ErrorKind::timeout : stage.lost,
              std::move(message));
}

bool Session::State::gives_up(Allowance& left) {
  if (options_.cancelled && *options_.cancelled) return true;
  const auto now = Clock::now();
  if (left.rests) left.deadline += now - left.asked;
  left.asked = now;
  left.rests = options_.rests && options_.rests(cpu_time());
  process_->stand_still(left.rests);
  if (left.rests) return false;
  const bool busy = options_.limits_cpu_time && process_->cpu_time() - left.used > left.limit;
  return busy || now >= left.deadline;
}

Session::State::Allowance Session::State::allowance_of(std::chrono::milliseconds limit) const {
  const auto now = Clock::now();
  return {.limit = limit,
          .deadline = now + limit * (options_.limits_cpu_time ? waits_for_a_core : 1),
          .used = process_->cpu_time(),
          .asked = now};
}

Result<Answer> Session::State::exchange(const Request& request, const Stage& stage) {
  Stage at = stage;
  Allowance left = allowance_of(at.limit);
  Channel& channel = process_->channel();
  const bool asked = options_.cancelled || options_.limits_cpu_time || options_.rests;
  if (asked) channel.give_up_when([this, &left] { return gives_up(left); });
  // Whoever is asked knows when it is too late.
  const auto deadline = [&] { return asked ? Deadline() : Deadline(left.deadline); };
  process_->stand_still(false);
  if (auto sent = channel.send(encode(request), deadline()); !sent) return lost(sent.error(), at);
  const auto* launch = std::get_if<Launch>(&request);
  for (bool may_start = launch != nullptr && launch->announce;; may_start = false) {
    const auto bytes = channel.receive(at.max_answer, deadline());
    if (!bytes) return lost(bytes.error(), at);
    auto answer = decode_answer(*bytes);
    if (!answer) return lost({ChannelError::Kind::garbage, "it cannot be read"}, at);
    if (!may_start || !std::holds_alternative<Started>(*answer)) return *std::move(answer);
    at.limit = limits_.run;
    at.doing = "running it";
    left = allowance_of(at.limit);
  }
}

Result<void> Session::State::start_worker() {
  renew();
  if (options_.cancelled && *options_.cancelled) {
    return fail(ErrorKind::run, "no worker is started: what it was for was cancelled");
  }
  auto process = Process::start(serve_command(program_, scratch_.path().string(), options_));
  if (!process) return Unexpected(process.error());
  process_ = *std::move(process);
  ++started_;
  auto opened = call<Opened>(Open{options_.device, options_.guards},
                             {.doing = fmt::format("opening device '{}'", options_.device),
                              .limit = options_.start_limit,
                              .lost = ErrorKind::no_device});
  if (!opened) {
    renew();
    return Unexpected(opened.error());
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

Options Session::State::sharing_cache() const {
  Options options = options_;
  if (options.own_cache) {
    options.environment.push_back(cache_variable + scratch_.path().string());
  }
  return options;
}

bool Session::State::is_warm(KernelId id) const {
  const auto job = jobs_.find(id);
  return job != jobs_.end() && warm_.contains({id, job->second.shape.workgroup});
}

bool Session::State::is_used(KernelId id) const {
  return executed_.size() > (executed_.contains(id) ? 1U : 0U);
}

template <class Work>
auto Session::State::in_worker(KernelId id, const Work& work) -> decltype(work()) {
  drop_forgotten();
  const bool used = process_ && is_used(id);
  if (auto up = ready(); !up) return Unexpected(up.error());
  auto done = work();
  if (done || process_ || done.error().kind == ErrorKind::timeout) return done;
  const bool doubtful = used || done.error().kind == ErrorKind::compile;
  if (!doubtful) return done;
  if (auto up = ready(); !up) return Unexpected(up.error());
  return work();
}

// Contents are shared with the caller: what only the worker still has, nothing will use again.
void Session::State::drop_unused() {
  for (auto at = uploaded_.begin(); at != uploaded_.end();) {
    const auto& [content, id] = at->second;
    if (!content.expired()) {
      ++at;
      continue;
    }
    const Id unused = id;
    at = uploaded_.erase(at);
    const auto gone = call<Done>(Drop{unused}, {"freeing a buffer", options_.run_limit});
    if (!gone) return;  // a lost worker holds nothing; the caller will see that
  }
}

Result<Id> Session::State::put(const Data& content, bool in_buffer) {
  const std::pair key(content.get(), in_buffer);
  const auto uploaded = uploaded_.find(key);
  if (uploaded != uploaded_.end()) return uploaded->second.second;
  if (content->size() > max_content_bytes) {
    return fail(ErrorKind::limit,
                fmt::format("a buffer of {} bytes is too large for a worker: {} is "
                            "the most",
                            content->size(), max_content_bytes));
  }
  const Id id = next_id_++;
  const auto done =
      call<Done>(Put{id, content, in_buffer}, {"filling a buffer", options_.build_limit});
  if (!done) return Unexpected(done.error());
  uploaded_[key] = {content, id};
  return id;
}

// A full disk is not the kernel's fault.
Failure Session::State::while_compiling(Error error) const {
  if (!scratch_.is_full()) return Unexpected(std::move(error));
  return fail(
      ErrorKind::io,
      fmt::format("there is hardly any space left in '{}', and a compiler failed: make room, "
                  "or choose another place with worker::Options::scratch. It said: {}",
                  scratch_.path().parent_path().string(), error.message));
}

Result<void> Session::State::compile(KernelId id) {
  if (built_.contains(id)) return {};
  const Job& job = jobs_.at(id);
  Build request{id, job.source, job.entry, job.options};
  for (const JobStage& stage : job.then) request.then.push_back(stage.entry);
  const auto done = call<Done>(
      request, {.doing = "compiling it", .limit = limits_.build, .lost = ErrorKind::compile});
  if (!done) return while_compiling(done.error());
  built_.insert(id);
  return {};
}

Result<KernelId> Session::State::build(Job job) {
  const KernelId id = next_id_++;
  jobs_[id] = std::move(job);
  const auto done = in_worker(id, [&] { return compile(id); });
  if (done) return id;
  jobs_.erase(id);
  return Unexpected(done.error());
}

void Session::State::forget(KernelId id) {
  const std::lock_guard guard(forgetting_);
  forgotten_.push_back(id);
}

void Session::State::drop_forgotten() {
  std::vector<KernelId> forgotten;
  {
    const std::lock_guard guard(forgetting_);
    forgotten.swap(forgotten_);
  }
  for (const KernelId id : forgotten) {
    jobs_.erase(id);
    if (built_.erase(id) == 0 || !process_) continue;
    if (!call<Done>(Drop{id}, {"freeing a kernel", options_.run_limit})) renew();
  }
}

Result<Launch> Session::State::request_for(KernelId id) {
  drop_unused();
  if (auto up = ready(); !up) return Unexpected(up.error());
  if (auto compiled = compile(id); !compiled) return Unexpected(compiled.error());
  const Job& job = jobs_.at(id);
  Launch request{.kernel = id, .shape = job.shape};
  for (const Argument& argument : job.arguments) {
    if (const auto* literal = std::get_if<Literal>(&argument)) {
      request.arguments.emplace_back(*literal);
      continue;
    }
    const auto& buffer = std::get<BufferArgument>(argument);
    const auto uploaded = put(buffer.content, true);
    if (!uploaded) return Unexpected(uploaded.error());
    request.arguments.emplace_back(BufferRef{*uploaded, buffer.access});
  }
  for (const JobStage& stage : job.then) request.then.push_back({stage.scalars, stage.shape});
  return request;
}

// Some drivers compile for a workgroup at its first launch: until the device says that it has
// begun, the limit for compiling counts.
Result<device::Timing> Session::State::launch(KernelId id, Launch request) {
  const std::pair place{id, request.shape.workgroup};
  request.announce = !warm_.contains(place);
  executed_.insert(id);
  const auto ran = call<Launched>(
      request, request.announce ? Stage{"compiling it for its first launch", limits_.build}
                                : Stage{"running it", limits_.run});
  if (!ran && request.announce) return while_compiling(ran.error());
  if (!ran) return Unexpected(ran.error());
  warm_.insert(place);
  return ran->timing;
}

Result<device::Timing> Session::State::time(KernelId id, std::uint32_t launches) {
  check(jobs_.contains(id) && launches > 0, "a kernel of this session is launched");
  return in_worker(id, [&]() -> Result<device::Timing> {
    auto request = request_for(id);
    if (!request) return Unexpected(request.error());
    request->launches = launches;
    return launch(id, *std::move(request));
  });
}

// What a worker answers is not trusted: its memory may be damaged.
Result<Content> Session::State::read_back(const Data& content, const Data& likely) {
  Read request{.id = uploaded_.at({content.get(), true}).second, .likely = {}};
  if (likely != nullptr && likely->size() == content->size()) {
    VYRE_TRY(request.likely, put(likely, likely == content));
  }
  const Stage stage{.doing = "reading what it wrote",
                    .limit = options_.build_limit,
                    .max_answer = content->size() + frame_bytes};
  auto answer = call<Content>(request, stage);
  if (!answer) return answer;
  const bool known = answer->is_likely && request.likely;
  if (answer->bytes.size() == (known ? 0 : content->size())) return answer;
  return lost({ChannelError::Kind::garbage, "a buffer of another length"}, stage);
}

Result<Output> Session::State::run(KernelId id, std::span<const Data> likely) {
  check(jobs_.contains(id), "a kernel of this session is run");
  return in_worker(id, [&]() -> Result<Output> {
    auto request = request_for(id);
    if (!request) return Unexpected(request.error());
    request->restore = likely.empty() ? Restore::all : Restore::written;
    const auto timing = launch(id, *request);
    if (!timing) return Unexpected(timing.error());
    Output output{.timing = *timing};
    const auto& arguments = jobs_.at(id).arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const auto* buffer = std::get_if<BufferArgument>(&arguments[i]);
      if (buffer == nullptr) continue;
      VYRE_TRY(auto content, read_back(buffer->content, i < likely.size() ? likely[i] : Data()));
      output.buffers.push_back(std::move(content));
    }
    return output;
  });
}

}  // namespace vyre::worker
