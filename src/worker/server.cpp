#include "worker/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "base/memory.h"

namespace vyre::worker {
namespace {

// Of a compiler; the first errors say most.
constexpr std::size_t max_log = 65536;

Failure unknown(std::string_view what, Id id) {
  return fail(ErrorKind::input, fmt::format("the worker has no {} {}", what, id));
}

// Whether a buffer that is used so gets its content again.
bool is_restored(Access access, Restore what) {
  switch (what) {
    case Restore::in_place:
      return access == Access::read_write;
    case Restore::written:
      return access != Access::read;
    case Restore::all:
      return true;
  }
  return true;
}

bool is_restored(const std::variant<BufferRef, Literal>& argument, Restore what) {
  const auto* held = std::get_if<BufferRef>(&argument);
  return held != nullptr && is_restored(held->access, what);
}

bool are_equal(std::span<const std::byte> one, std::span<const std::byte> other) {
  if (one.size() != other.size()) return false;
  return one.empty() || std::memcmp(one.data(), other.data(), one.size()) == 0;
}

}  // namespace

Answer Server::answer(const Request& request) {
  const bool needs_device =
      !std::holds_alternative<Open>(request) && !std::holds_alternative<List>(request);
  if (device_ == nullptr && needs_device) {
    return Failed{{ErrorKind::input, "the worker has not been told its device"}};
  }
  auto made = within_memory(
      [&] { return std::visit([&](const auto& one) { return handle(one); }, request); });
  if (made) return *std::move(made);
  Error& error = made.error();
  if (error.message.size() > max_log) error.message.resize(max_log);
  return Failed{std::move(error)};
}

Result<Answer> Server::handle(const Open& request) {
  auto opened = device::open(request.device);
  if (!opened) return Unexpected(opened.error());
  device_ = *std::move(opened);
  guards_ = request.guards;
  return Opened{device_->adapter(), device_->language()};
}

Result<Answer> Server::handle(const Put& request) {
  if (!request.in_buffer) {
    uploads_[request.id] = {request.content, nullptr};
    return Done{};
  }
  const std::size_t bytes = request.content->size();
  auto buffer = guards_ ? device_->allocate_guarded(bytes) : device_->allocate(bytes);
  if (!buffer) return Unexpected(buffer.error());
  if (auto written = device_->write(**buffer, *request.content); !written) {
    return Unexpected(written.error());
  }
  uploads_[request.id] = {request.content, *std::move(buffer)};
  return Done{};
}

Result<Answer> Server::handle(const Drop& request) {
  uploads_.erase(request.id);
  kernels_.erase(request.id);
  return Done{};
}

Result<Answer> Server::handle(const Build& request) {
  auto module = device_->compile(request.source, request.options);
  if (!module) return Unexpected(module.error());
  Built built{.module = *std::move(module), .kernels = {}};
  std::vector<std::string> entries = {request.entry};
  entries.insert(entries.end(), request.then.begin(), request.then.end());
  for (const std::string& entry : entries) {
    VYRE_TRY(auto kernel, built.module->kernel(entry));
    built.kernels.push_back(std::move(kernel));
  }
  kernels_[request.id] = std::move(built);
  return Done{};
}

// The arguments of each stage: buffers are those of all.
Result<std::vector<Server::Bound>> Server::bound(const Launch& request) {
  std::vector<Bound> made = {{.arguments = {}, .shape = request.shape}};
  std::vector<device::Argument> buffers;
  for (const auto& argument : request.arguments) {
    if (const auto* literal = std::get_if<Literal>(&argument)) {
      made[0].arguments.emplace_back(*literal);
      continue;
    }
    const Id id = std::get<BufferRef>(argument).id;
    const auto upload = uploads_.find(id);
    if (upload == uploads_.end() || upload->second.buffer == nullptr) return unknown("content", id);
    made[0].arguments.emplace_back(upload->second.buffer.get());
    buffers.emplace_back(upload->second.buffer.get());
  }
  for (const LaunchStage& stage : request.then) {
    Bound& one = made.emplace_back(Bound{.arguments = buffers, .shape = stage.shape});
    one.arguments.insert(one.arguments.end(), stage.scalars.begin(), stage.scalars.end());
  }
  return made;
}

// Inputs keep their content; what is written in place does not, and for verification what is only
// written must not hold the results of another kernel.
Result<void> Server::restore(const Launch& request, Restore what) {
  for (const auto& argument : request.arguments) {
    if (!is_restored(argument, what)) continue;
    const Upload& upload = uploads_.at(std::get<BufferRef>(argument).id);
    if (auto written = device_->write(*upload.buffer, *upload.content); !written) return written;
  }
  return {};
}

// Launches go back to back, except where each needs its buffers restored. So do those of each
// stage, which computes the same each time: what it reads and writes is restored, or is not both.
Result<device::Timing> Server::time(const Launch& request, const Built& built) {
  VYRE_TRY(const auto stages, bound(request));
  const bool one_by_one = std::ranges::any_of(request.arguments, [](const auto& argument) {
    return is_restored(argument, Restore::in_place);
  });
  device::TimeOptions options{.launches = one_by_one ? 1 : request.launches};
  if (request.announce) options.started = started_;
  device::Timing total;
  for (std::uint32_t made = 0; made < request.launches; made += options.launches) {
    VYRE_CHECK(restore(request, made == 0 ? request.restore : Restore::in_place));
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const auto& [arguments, shape] = stages[i];
      VYRE_TRY(const auto timing, device_->time(*built.kernels[i], arguments, shape, options));
      options.started = nullptr;
      total += timing;
    }
  }
  return total;
}

Result<Answer> Server::handle(const Launch& request) {
  const auto built = kernels_.find(request.kernel);
  if (built == kernels_.end()) return unknown("kernel", request.kernel);
  if (built->second.kernels.size() != request.then.size() + 1) {
    return fail(ErrorKind::input,
                fmt::format("kernel {} has {} stages, not {}", request.kernel,
                            built->second.kernels.size(), request.then.size() + 1));
  }
  const auto timing = time(request, built->second);
  if (!timing) return Unexpected(timing.error());
  return Launched{*timing};
}

Result<Answer> Server::handle(const Read& request) {
  const auto upload = uploads_.find(request.id);
  if (upload == uploads_.end() || upload->second.buffer == nullptr) {
    return unknown("content", request.id);
  }
  device::Buffer& buffer = *upload->second.buffer;
  read_.resize(buffer.bytes());
  VYRE_CHECK(device_->read(read_, buffer));
  Content content;
  if (request.likely) {
    const auto likely = uploads_.find(*request.likely);
    if (likely == uploads_.end()) return unknown("content", *request.likely);
    content.is_likely = are_equal(read_, *likely->second.content);
  }
  if (!content.is_likely) content.bytes = read_;
  if (guards_) {
    VYRE_TRY(content.touched, device_->check_guards(buffer));
  }
  return content;
}

Result<Answer> Server::handle(const List& /*request*/) { return Listed{device::list()}; }

void serve(Channel& channel) {
  bool there = true;
  Server server([&] { there = channel.send(encode(Answer{Started{}}), std::nullopt).has_value(); });
  while (there) {
    const auto bytes = channel.receive(max_message_bytes, std::nullopt);
    if (!bytes) return;
    const auto request = decode_request(*bytes);
    if (!request) return;
    if (!channel.send(encode(server.answer(*request)), std::nullopt)) return;
  }
}

}  // namespace vyre::worker
