// One launch with host memory on both sides.
#include <fmt/format.h>

#include "run/sizes.h"
#include "vyre/run/run.h"

namespace vyre::run {
namespace {

Result<void> check_lengths(const Request& request, std::span<const std::span<std::byte>> host) {
  const auto buffers = global_buffers(request.program);
  if (host.size() != buffers.size()) {
    return fail(ErrorKind::input, fmt::format("program {} has {} buffers, {} were given",
                                              request.program.name, buffers.size(), host.size()));
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto bytes = bytes_of(request.program, buffers[i], request.uniforms);
    if (!bytes) return std::unexpected(bytes.error());
    if (*bytes != host[i].size()) {
      return wrong_length(request.program.name, buffers[i], *bytes, host[i].size());
    }
  }
  return {};
}

}  // namespace

Result<device::Timing> once(device::Device& device, const Request& request,
                            std::span<const std::span<std::byte>> buffers) {
  // Before compiling, which takes a second on some devices.
  if (auto right = check_lengths(request, buffers); !right) return std::unexpected(right.error());
  auto executable = compile(device, request);
  if (!executable) return std::unexpected(executable.error());

  std::vector<std::unique_ptr<device::Buffer>> owned;
  std::vector<device::Buffer*> on_device;
  for (const auto host : buffers) {
    auto buffer = device.allocate(host.size());
    if (!buffer) return std::unexpected(buffer.error());
    on_device.push_back(owned.emplace_back(*std::move(buffer)).get());
    if (auto written = device.write(*on_device.back(), host); !written) {
      return std::unexpected(written.error());
    }
  }
  const auto timing = executable->time(on_device);
  if (!timing) return timing;
  const auto declared = global_buffers(request.program);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].access == Access::read) continue;
    if (auto copied = device.read(buffers[i], *on_device[i]); !copied) {
      return std::unexpected(copied.error());
    }
  }
  return timing;
}

}  // namespace vyre::run
