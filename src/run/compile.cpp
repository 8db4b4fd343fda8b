// From requests to executables: fix the sizes, emit, compile once, take the kernels.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/check.h"
#include "emit/emit.h"
#include "run/sizes.h"
#include "vyre/run/run.h"

namespace vyre::run {
namespace {

Result<void> check_request(const Request& request, const device::Adapter& adapter) {
  if (auto known = ir::check_uniforms(request.program, request.uniforms); !known) return known;
  const auto shape = ir::launch_shape(request.program, request.uniforms);
  if (!shape) return std::unexpected(shape.error());
  return check_limits(request.program, request.uniforms, adapter);
}

std::unexpected<Error> no_f64(std::span<const Request> requests, const device::Adapter& adapter) {
  std::vector<std::string> names;
  for (const Request& request : requests) names.push_back(request.program.name);
  return fail(ErrorKind::limit,
              fmt::format("the source of {} uses f64, which {} does not have: use "
                          "f32 or another device",
                          fmt::join(names, ", "), adapter.name));
}

Result<emit::Source> emit_all(const device::Device& device, std::span<const Request> requests) {
  std::vector<emit::Unit> units;
  for (const Request& request : requests) {
    if (auto good = check_request(request, device.adapter()); !good) {
      return std::unexpected(good.error());
    }
    units.push_back({request.program, size_uniforms(request.program, request.uniforms)});
  }
  auto source = emit::emit(units, device.language());
  if (source && source->uses_f64 && !device.adapter().limits.has_f64) {
    return no_f64(requests, device.adapter());
  }
  return source;
}

}  // namespace

Result<Executable> Executable::make(device::Device& device, std::shared_ptr<device::Module> module,
                                    const Request& request, const emit::Entry& entry) {
  const auto& [program, uniforms] = request;
  const auto shape = ir::launch_shape(program, uniforms);
  if (!shape) return std::unexpected(shape.error());
  auto kernel = module->kernel(entry.name);
  if (!kernel) return std::unexpected(kernel.error());

  Executable one;
  one.device_ = &device;
  one.module_ = std::move(module);
  one.kernel_ = *std::move(kernel);
  one.shape_ = *shape;
  one.name_ = program.name;
  one.buffers_ = global_buffers(program);
  for (const ir::Buffer& buffer : one.buffers_) {
    const auto bytes = bytes_of(program, buffer, uniforms);
    if (!bytes) return std::unexpected(bytes.error());
    one.buffer_bytes_.push_back(*bytes);
    one.arguments_.emplace_back(nullptr);
  }
  for (const auto& [name, value] : size_uniforms(program, uniforms)) one.fixed_.push_back(name);
  one.settable_ = entry.uniforms;
  for (const std::string& name : entry.uniforms) {
    one.arguments_.emplace_back(ir::uniform_value(program, name, uniforms));
  }
  return one;
}

Result<std::vector<Executable>> compile(device::Device& device, std::span<const Request> requests) {
  std::vector<Executable> made;
  if (requests.empty()) return made;
  const auto source = emit_all(device, requests);
  if (!source) return std::unexpected(source.error());
  check(source->entries.size() == requests.size(), "one entry is emitted per unit");
  auto module = device.compile(source->text);
  if (!module) return std::unexpected(module.error());
  const std::shared_ptr<device::Module> shared = *std::move(module);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    auto one = Executable::make(device, shared, requests[i], source->entries[i]);
    if (!one) return std::unexpected(one.error());
    made.push_back(*std::move(one));
  }
  return made;
}

Result<Executable> compile(device::Device& device, Request request) {
  auto made = compile(device, std::span<const Request>(&request, 1));
  if (!made) return std::unexpected(made.error());
  return std::move(made->front());
}

}  // namespace vyre::run
