#include "vyre/run/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/memory.h"
#include "emit/emit.h"
#include "run/sizes.h"

namespace vyre::run {
namespace {

Result<void> check_request(const Request& request, const device::Adapter& adapter) {
  if (auto known = ir::check_uniforms(request.program, request.uniforms); !known) return known;
  const auto shape = ir::launch_shape(request.program, request.uniforms);
  if (!shape) return Unexpected(shape.error());
  return check_limits(request.program, request.uniforms, adapter);
}

Failure no_f64(std::span<const Request> requests, const device::Adapter& adapter) {
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
      return Unexpected(good.error());
    }
    units.push_back({request.program, size_uniforms(request.program, request.uniforms)});
  }
  auto source = emit::emit(units, device.language());
  if (source && source->uses_f64 && !device.adapter().limits.has_f64) {
    return no_f64(requests, device.adapter());
  }
  return source;
}

Result<void> check_lengths(const Request& request, std::span<const std::span<std::byte>> host) {
  const auto buffers = global_buffers(request.program);
  if (host.size() != buffers.size()) {
    return fail(ErrorKind::input, fmt::format("program {} has {} buffers, {} were given",
                                              request.program.name, buffers.size(), host.size()));
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto bytes = bytes_of(request.program, buffers[i], request.uniforms);
    if (!bytes) return Unexpected(bytes.error());
    if (*bytes != host[i].size()) {
      return wrong_length(request.program.name, buffers[i], *bytes, host[i].size());
    }
  }
  return {};
}

}  // namespace

Result<Executable> Executable::make(device::Device& device, std::shared_ptr<device::Module> module,
                                    const Request& request, const emit::Entry& entry) {
  const auto& [program, uniforms] = request;
  const auto shape = ir::launch_shape(program, uniforms);
  if (!shape) return Unexpected(shape.error());
  auto kernel = module->kernel(entry.name);
  if (!kernel) return Unexpected(kernel.error());

  Executable one;
  one.device_ = &device;
  one.module_ = std::move(module);
  one.kernel_ = *std::move(kernel);
  one.entry_ = entry.name;
  one.shape_ = *shape;
  one.name_ = program.name;
  one.buffers_ = global_buffers(program);
  for (const ir::Buffer& buffer : one.buffers_) {
    const auto bytes = bytes_of(program, buffer, uniforms);
    if (!bytes) return Unexpected(bytes.error());
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

Result<void> Executable::check(std::span<device::Buffer* const> buffers) const {
  if (buffers.size() != buffer_bytes_.size()) {
    return fail(ErrorKind::input, fmt::format("program {} has {} buffers, {} were given", name_,
                                              buffer_bytes_.size(), buffers.size()));
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i] == nullptr) {
      return fail(ErrorKind::input,
                  fmt::format("buffer '{}' of program {} is missing", buffers_[i].name, name_));
    }
    if (buffers[i]->bytes() != buffer_bytes_[i]) {
      return wrong_length(name_, buffers_[i], buffer_bytes_[i], buffers[i]->bytes());
    }
  }
  return check_distinct(buffers);
}

Result<void> Executable::bind(std::span<device::Buffer* const> buffers) {
  if (auto fit = check(buffers); !fit) return fit;
  std::ranges::copy(buffers, arguments_.begin());
  return {};
}

// Kernels are compiled on the promise that what they write is reached by one name only.
Result<void> Executable::check_distinct(std::span<device::Buffer* const> buffers) const {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool both_read =
          buffers_[i].access == Access::read && buffers_[j].access == Access::read;
      if (both_read || !overlap(*buffers[i], *buffers[j])) continue;
      return fail(ErrorKind::input,
                  fmt::format("buffers '{}' and '{}' of program {} are the same memory, and it "
                              "writes to it: give it two",
                              buffers_[j].name, buffers_[i].name, name_));
    }
  }
  return {};
}

Result<void> Executable::launch(std::span<device::Buffer* const> buffers) {
  if (auto bound = bind(buffers); !bound) return bound;
  return device_->launch(*kernel_, arguments_, shape_);
}

Result<device::Event> Executable::enqueue(device::Queue& queue,
                                          std::span<device::Buffer* const> buffers) {
  if (auto fit = bind(buffers); !fit) return Unexpected(std::move(fit).error());
  return queue.launch(*kernel_, arguments_, shape_);
}

Result<Executable> Executable::bound(std::span<device::Buffer* const> buffers) const {
  Executable one;
  VYRE_TRY(one.kernel_, module_->kernel(entry_));
  one.device_ = device_;
  one.module_ = module_;
  one.entry_ = entry_;
  one.shape_ = shape_;
  one.name_ = name_;
  one.buffers_ = buffers_;
  one.buffer_bytes_ = buffer_bytes_;
  one.fixed_ = fixed_;
  one.settable_ = settable_;
  one.arguments_ = arguments_;
  VYRE_CHECK(one.bind(buffers));
  return one;
}

Result<device::Timing> Executable::time(std::span<device::Buffer* const> buffers) {
  if (auto bound = bind(buffers); !bound) return Unexpected(bound.error());
  return device_->time(*kernel_, arguments_, shape_);
}

Result<void> Executable::set(std::string_view uniform, Literal value) {
  const auto found = std::ranges::find(settable_, uniform);
  if (found == settable_.end()) {
    if (std::ranges::find(fixed_, uniform) != fixed_.end()) {
      return fail(ErrorKind::input,
                  fmt::format("sizes of program {} depend on '{}': compile it again with the new "
                              "value",
                              name_, uniform));
    }
    return fail(ErrorKind::input, fmt::format("program {} has no uniform '{}'; it can set: {}",
                                              name_, uniform, fmt::join(settable_, ", ")));
  }
  const auto index = buffer_bytes_.size() + static_cast<std::size_t>(found - settable_.begin());
  auto& argument = std::get<Literal>(arguments_[index]);
  if (argument.scalar != value.scalar) {
    return fail(ErrorKind::input,
                fmt::format("uniform '{}' of program {} is {}, not {}", uniform, name_,
                            name_of(argument.scalar), name_of(value.scalar)));
  }
  argument = value;
  return {};
}

Result<std::vector<Executable>> compile(device::Device& device, std::span<const Request> requests) {
  return within_memory([&] { return Executable::make_all(device, requests); });
}

Result<std::vector<Executable>> Executable::make_all(device::Device& device,
                                                     std::span<const Request> requests) {
  std::vector<Executable> made;
  if (requests.empty()) return made;
  const auto source = emit_all(device, requests);
  if (!source) return Unexpected(source.error());
  vyre::check(source->entries.size() == requests.size(), "one entry is emitted per unit");
  auto module = device.compile(source->text);
  if (!module) return Unexpected(module.error());
  const std::shared_ptr<device::Module> shared = *std::move(module);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    auto one = Executable::make(device, shared, requests[i], source->entries[i]);
    if (!one) return Unexpected(one.error());
    made.push_back(*std::move(one));
  }
  return made;
}

Result<Executable> compile(device::Device& device, Request request) {
  auto made = compile(device, std::span<const Request>(&request, 1));
  if (!made) return Unexpected(made.error());
  return std::move(made->front());
}

namespace {

Result<device::Timing> run_once(device::Device& device, const Request& request,
                                std::span<const std::span<std::byte>> buffers) {
  // Before compiling, which takes a second on some devices.
  if (auto right = check_lengths(request, buffers); !right) return Unexpected(right.error());
  auto executable = compile(device, request);
  if (!executable) return Unexpected(executable.error());

  std::vector<std::unique_ptr<device::Buffer>> owned;
  std::vector<device::Buffer*> on_device;
  for (const auto host : buffers) {
    auto buffer = device.allocate(host.size());
    if (!buffer) return Unexpected(buffer.error());
    on_device.push_back(owned.emplace_back(*std::move(buffer)).get());
    if (auto written = device.write(*on_device.back(), host); !written) {
      return Unexpected(written.error());
    }
  }
  auto timing = executable->time(on_device);
  if (!timing) return timing;
  const auto declared = global_buffers(request.program);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].access == Access::read) continue;
    if (auto copied = device.read(buffers[i], *on_device[i]); !copied) {
      return Unexpected(copied.error());
    }
  }
  return timing;
}

}  // namespace

Result<device::Timing> once(device::Device& device, const Request& request,
                            std::span<const std::span<std::byte>> buffers) {
  return within_memory([&] { return run_once(device, request, buffers); });
}

}  // namespace vyre::run
