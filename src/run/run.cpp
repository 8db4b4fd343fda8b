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
  one.kernel_ = *std::move(kernel);
  auto form = std::make_shared<Form>(Form{.device = &device,
                                          .module = std::move(module),
                                          .entry = entry.name,
                                          .shape = *shape,
                                          .name = program.name,
                                          .buffers = global_buffers(program),
                                          .buffer_bytes = {},
                                          .fixed = {},
                                          .settable = entry.uniforms});
  for (const ir::Buffer& buffer : form->buffers) {
    const auto bytes = bytes_of(program, buffer, uniforms);
    if (!bytes) return Unexpected(bytes.error());
    form->buffer_bytes.push_back(*bytes);
    one.arguments_.emplace_back(nullptr);
  }
  for (const auto& [name, value] : size_uniforms(program, uniforms)) form->fixed.push_back(name);
  for (const std::string& name : entry.uniforms) {
    one.arguments_.emplace_back(ir::uniform_value(program, name, uniforms));
  }
  one.form_ = std::move(form);
  return one;
}

Result<void> Executable::check(std::span<device::Buffer* const> buffers) const {
  if (buffers.size() != form_->buffer_bytes.size()) {
    return fail(ErrorKind::input,
                fmt::format("program {} has {} buffers, {} were given", form_->name,
                            form_->buffer_bytes.size(), buffers.size()));
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i] == nullptr) {
      return fail(ErrorKind::input, fmt::format("buffer '{}' of program {} is missing",
                                                form_->buffers[i].name, form_->name));
    }
    if (buffers[i]->bytes() != form_->buffer_bytes[i]) {
      return wrong_length(form_->name, form_->buffers[i], form_->buffer_bytes[i],
                          buffers[i]->bytes());
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
          form_->buffers[i].access == Access::read && form_->buffers[j].access == Access::read;
      if (both_read || !overlap(*buffers[i], *buffers[j])) continue;
      return fail(ErrorKind::input,
                  fmt::format("buffers '{}' and '{}' of program {} are the same memory, and it "
                              "writes to it: give it two",
                              form_->buffers[j].name, form_->buffers[i].name, form_->name));
    }
  }
  return {};
}

Result<void> Executable::launch(std::span<device::Buffer* const> buffers) {
  if (auto bound = bind(buffers); !bound) return bound;
  return form_->device->launch(*kernel_, arguments_, form_->shape);
}

Result<device::Event> Executable::enqueue(device::Queue& queue,
                                          std::span<device::Buffer* const> buffers) {
  if (auto fit = bind(buffers); !fit) return Unexpected(std::move(fit).error());
  return queue.launch(*kernel_, arguments_, form_->shape);
}

Result<Executable> Executable::bound(std::span<device::Buffer* const> buffers) const {
  Executable one;
  VYRE_TRY(one.kernel_, form_->module->kernel(form_->entry));
  one.form_ = form_;
  one.arguments_ = arguments_;
  VYRE_CHECK(one.bind(buffers));
  return one;
}

Result<device::Timing> Executable::time(std::span<device::Buffer* const> buffers) {
  if (auto bound = bind(buffers); !bound) return Unexpected(bound.error());
  return form_->device->time(*kernel_, arguments_, form_->shape);
}

Result<void> Executable::set(std::string_view uniform, Literal value) {
  const auto found = std::ranges::find(form_->settable, uniform);
  if (found == form_->settable.end()) {
    if (std::ranges::find(form_->fixed, uniform) != form_->fixed.end()) {
      return fail(ErrorKind::input,
                  fmt::format("sizes of program {} depend on '{}': compile it again with the new "
                              "value",
                              form_->name, uniform));
    }
    return fail(ErrorKind::input,
                fmt::format("program {} has no uniform '{}'; it can set: {}", form_->name, uniform,
                            fmt::join(form_->settable, ", ")));
  }
  const auto index =
      form_->buffer_bytes.size() + static_cast<std::size_t>(found - form_->settable.begin());
  auto& argument = std::get<Literal>(arguments_[index]);
  if (argument.scalar != value.scalar) {
    return fail(ErrorKind::input,
                fmt::format("uniform '{}' of program {} is {}, not {}", uniform, form_->name,
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
