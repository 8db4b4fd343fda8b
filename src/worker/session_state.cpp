#include "worker/session_state.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"
#include "worker/serve.h"

namespace vyre::worker {
namespace {

constexpr std::size_t frame_bytes = 65536;

}  // namespace

Session::State::State(Options options, Scratch scratch, std::string program)
    : options_(std::move(options)), scratch_(std::move(scratch)), program_(std::move(program)) {}

bool Session::State::is_used(KernelId id) const {
  return users_.size() > (users_.contains(id) ? 1U : 0U);
}

template <class Work>
auto Session::State::in_worker(KernelId id, const Work& work) -> decltype(work()) {
  drop_forgotten();
  const bool used = process_ && is_used(id);
  if (auto up = ready(); !up) return std::unexpected(up.error());
  auto done = work();
  const bool doubtful = !done && !process_ && used && done.error().kind != ErrorKind::timeout;
  if (!doubtful) return done;
  if (auto up = ready(); !up) return std::unexpected(up.error());
  return work();
}

void Session::State::drop_unused() {
  for (auto at = held_.begin(); at != held_.end();) {
    const auto& [content, id] = at->second;
    if (!content.expired()) {
      ++at;
      continue;
    }
    const Id unused = id;
    at = held_.erase(at);
    const auto gone = call<Done>(Drop{unused}, {"freeing a buffer", options_.run_limit});
    if (!gone) return;  // a lost worker holds nothing; the caller will see that
  }
}

Result<Id> Session::State::put(const Data& content) {
  if (const auto held = held_.find(content.get()); held != held_.end()) return held->second.second;
  if (content->size() > max_content_bytes) {
    return fail(ErrorKind::limit,
                fmt::format("a buffer of {} bytes is too large for a worker: {} is "
                            "the most",
                            content->size(), max_content_bytes));
  }
  const Id id = next_id_++;
  const auto done = call<Done>(Put{id, content}, {"filling a buffer", options_.build_limit});
  if (!done) return std::unexpected(done.error());
  held_[content.get()] = {content, id};
  return id;
}

// A full disk is not the kernel's fault.
std::unexpected<Error> Session::State::while_compiling(Error error) const {
  if (!scratch_.is_full()) return std::unexpected(std::move(error));
  return fail(
      ErrorKind::io,
      fmt::format("there is hardly any space left in '{}', and a compiler failed: make room, "
                  "or choose another place with worker::Options::scratch. It said: {}",
                  scratch_.path().parent_path().string(), error.message));
}

Result<void> Session::State::compile(KernelId id) {
  if (built_.contains(id)) return {};
  const Kernel& kernel = kernels_.at(id);
  const auto done = call<Done>(
      Build{id, kernel.source, kernel.entry, kernel.options},
      {.doing = "compiling it", .limit = options_.build_limit, .lost = ErrorKind::compile});
  if (!done) return while_compiling(done.error());
  built_.insert(id);
  return {};
}

Result<KernelId> Session::State::build(Kernel kernel) {
  const KernelId id = next_id_++;
  kernels_[id] = std::move(kernel);
  const auto done = in_worker(id, [&] { return compile(id); });
  if (done) return id;
  kernels_.erase(id);
  return std::unexpected(done.error());
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
    kernels_.erase(id);
    if (built_.erase(id) == 0 || !process_) continue;
    if (!call<Done>(Drop{id}, {"freeing a kernel", options_.run_limit})) renew();
  }
}

Result<Run> Session::State::request_for(KernelId id) {
  drop_unused();
  if (auto up = ready(); !up) return std::unexpected(up.error());
  if (auto compiled = compile(id); !compiled) return std::unexpected(compiled.error());
  const Kernel& kernel = kernels_.at(id);
  Run request{.kernel = id, .shape = kernel.shape};
  for (const Argument& argument : kernel.arguments) {
    if (const auto* literal = std::get_if<Literal>(&argument)) {
      request.arguments.emplace_back(*literal);
      continue;
    }
    const auto& buffer = std::get<BufferArgument>(argument);
    const auto held = put(buffer.content);
    if (!held) return std::unexpected(held.error());
    request.arguments.emplace_back(Held{*held, buffer.access});
  }
  return request;
}

Result<device::Timing> Session::State::launch(KernelId id, Run request) {
  const std::pair place{id, request.shape.workgroup};
  request.announce = !warm_.contains(place);
  users_.insert(id);
  const auto ran = call<Ran>(
      request, request.announce ? Stage{"compiling it for its first launch", options_.build_limit}
                                : Stage{"running it", options_.run_limit});
  if (!ran && request.announce) return while_compiling(ran.error());
  if (!ran) return std::unexpected(ran.error());
  warm_.insert(place);
  return ran->timing;
}

Result<device::Timing> Session::State::time(KernelId id, std::uint32_t launches) {
  check(kernels_.contains(id) && launches > 0, "a kernel of this session is launched");
  return in_worker(id, [&]() -> Result<device::Timing> {
    auto request = request_for(id);
    if (!request) return std::unexpected(request.error());
    request->launches = launches;
    return launch(id, *std::move(request));
  });
}

Result<Output> Session::State::run(KernelId id) {
  check(kernels_.contains(id), "a kernel of this session is run");
  return in_worker(id, [&]() -> Result<Output> {
    auto request = request_for(id);
    if (!request) return std::unexpected(request.error());
    request->restore_all = true;
    const auto timing = launch(id, *request);
    if (!timing) return std::unexpected(timing.error());
    Output output{.timing = *timing};
    for (const Argument& argument : kernels_.at(id).arguments) {
      const auto* buffer = std::get_if<BufferArgument>(&argument);
      if (buffer == nullptr) continue;
      const std::size_t bytes = buffer->content->size();
      auto content = call<Content>(Read{held_.at(buffer->content.get()).second},
                                   {.doing = "reading what it wrote",
                                    .limit = options_.build_limit,
                                    .max_answer = bytes + frame_bytes});
      if (!content) return std::unexpected(content.error());
      if (content->bytes.size() != bytes) {
        return lost({ChannelTrouble::What::garbage, "a buffer of another length"},
                    {"reading what it wrote", options_.build_limit});
      }
      output.buffers.push_back(*std::move(content));
    }
    return output;
  });
}

}  // namespace vyre::worker
