#include "vyre/run/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/memory.h"
#include "emit/emit.h"
#include "run/sizes.h"

namespace vyre::run {
namespace {

Result<void> check_request(const Request& request, std::span<const ir::Program> stages,
                           const device::Adapter& adapter) {
  if (auto known = ir::check_uniforms(request.program, request.uniforms); !known) return known;
  for (const ir::Program& stage : stages) {
    const auto shape = ir::launch_shape(stage, request.uniforms);
    if (!shape) return Unexpected(shape.error());
    VYRE_CHECK(check_limits(stage, request.uniforms, adapter));
  }
  return {};
}

Failure no_f64(std::span<const Request> requests, const device::Adapter& adapter) {
  std::vector<std::string> names;
  for (const Request& request : requests) names.push_back(request.program.name);
  return fail(ErrorKind::limit,
              fmt::format("the source of {} uses f64, which {} does not have: use "
                          "f32 or another device",
                          fmt::join(names, ", "), adapter.name));
}

using Stages = std::vector<ir::Program>;

// One entry for each stage of each request, in order.
Result<emit::Source> emit_all(const device::Device& device, std::span<const Request> requests,
                              std::span<const Stages> stages) {
  std::vector<emit::Unit> units;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    VYRE_CHECK(check_request(requests[i], stages[i], device.adapter()));
    for (const ir::Program& stage : stages[i]) {
      units.push_back({stage, size_uniforms(stage, requests[i].uniforms)});
    }
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

bool contains(std::span<const std::string> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

Result<Executable> Executable::make(device::Device& device, std::shared_ptr<device::Module> module,
                                    const Request& request, std::span<const ir::Program> stages,
                                    std::span<const emit::Entry> entries) {
  const auto& [program, uniforms] = request;
  auto form = std::make_shared<Form>(Form{.device = &device,
                                          .module = std::move(module),
                                          .stages = {},
                                          .name = program.name,
                                          .buffers = global_buffers(program),
                                          .buffer_bytes = {},
                                          .scratch_bytes = {},
                                          .fixed = {},
                                          .settable = {}});
  for (const ir::Buffer& buffer : form->buffers) {
    VYRE_TRY(const auto bytes, bytes_of(program, buffer, uniforms));
    form->buffer_bytes.push_back(bytes);
  }
  for (const ir::Buffer& buffer : ir::scratch_buffers(program)) {
    VYRE_TRY(const auto bytes, bytes_of(program, buffer, uniforms));
    form->scratch_bytes.push_back(bytes);
  }
  for (const auto& [name, value] : size_uniforms(program, uniforms)) form->fixed.push_back(name);
  for (const ir::Uniform& uniform : program.uniforms) {
    if (!contains(form->fixed, uniform.name)) form->settable.push_back(uniform.name);
  }
  for (std::size_t i = 0; i < stages.size(); ++i) {
    VYRE_TRY(const auto shape, ir::launch_shape(stages[i], uniforms));
    form->stages.push_back({entries[i].name, shape, entries[i].uniforms});
  }
  Executable one;
  one.form_ = std::move(form);
  VYRE_CHECK(one.load_stages());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const auto& names = one.form_->stages[i].uniforms;
    for (std::size_t u = 0; u < names.size(); ++u) {
      one.uniform_argument(i, u) = ir::uniform_value(program, names[u], uniforms);
    }
  }
  return one;
}

// With scratch memory, and no other arguments yet.
Result<void> Executable::load_stages() {
  for (const std::size_t bytes : form_->scratch_bytes) {
    VYRE_TRY(auto buffer, form_->device->allocate(bytes));
    scratch_.push_back(std::move(buffer));
  }
  for (const StageForm& stage : form_->stages) {
    LoadedStage& loaded = stages_.emplace_back();
    VYRE_TRY(loaded.kernel, form_->module->kernel(stage.entry));
    loaded.arguments.resize(form_->buffers.size());
    for (const auto& buffer : scratch_) loaded.arguments.emplace_back(buffer.get());
    loaded.arguments.resize(loaded.arguments.size() + stage.uniforms.size());
  }
  return {};
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
  for (LoadedStage& stage : stages_) std::ranges::copy(buffers, stage.arguments.begin());
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
  VYRE_CHECK(bind(buffers));
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const auto& [kernel, arguments] = stages_[i];
    VYRE_CHECK(form_->device->launch(*kernel, arguments, form_->stages[i].shape));
  }
  return {};
}

Result<device::Event> Executable::enqueue(device::Queue& queue,
                                          std::span<device::Buffer* const> buffers) {
  VYRE_CHECK(bind(buffers));
  return enqueue_bound(queue);
}

// A queue runs its commands in order.
Result<device::Event> Executable::enqueue_stages(device::Queue& queue) {
  device::Event all;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const auto& [kernel, arguments] = stages_[i];
    VYRE_TRY(auto event, queue.launch(*kernel, arguments, form_->stages[i].shape));
    all = i == 0 ? std::move(event) : std::move(event).after(std::move(all));
  }
  return all;
}

Result<Executable> Executable::bound(std::span<device::Buffer* const> buffers) const {
  Executable one;
  one.form_ = form_;
  VYRE_CHECK(one.load_stages());
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const auto& values = stages_[i].arguments;
    const auto uniforms = static_cast<std::ptrdiff_t>(form_->stages[i].uniforms.size());
    std::copy(values.end() - uniforms, values.end(), one.stages_[i].arguments.end() - uniforms);
  }
  VYRE_CHECK(one.bind(buffers));
  return one;
}

Result<device::Timing> Executable::time(std::span<device::Buffer* const> buffers) {
  VYRE_CHECK(bind(buffers));
  device::Timing all;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const auto& [kernel, arguments] = stages_[i];
    VYRE_TRY(const auto one, form_->device->time(*kernel, arguments, form_->stages[i].shape));
    all += one;
  }
  return all;
}

Result<void> Executable::set(std::string_view uniform, Literal value) {
  if (!contains(form_->settable, uniform)) {
    if (contains(form_->fixed, uniform)) {
      return fail(ErrorKind::input,
                  fmt::format("sizes of program {} depend on '{}': compile it again with the new "
                              "value",
                              form_->name, uniform));
    }
    return fail(ErrorKind::input,
                fmt::format("program {} has no uniform '{}'; it can set: {}", form_->name, uniform,
                            fmt::join(form_->settable, ", ")));
  }
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const auto& names = form_->stages[i].uniforms;
    const auto at = static_cast<std::size_t>(std::ranges::find(names, uniform) - names.begin());
    auto& argument = std::get<Literal>(uniform_argument(i, at));
    if (argument.scalar != value.scalar) {
      return fail(ErrorKind::input,
                  fmt::format("uniform '{}' of program {} is {}, not {}", uniform, form_->name,
                              name_of(argument.scalar), name_of(value.scalar)));
    }
    argument = value;
  }
  return {};
}

Result<std::vector<Executable>> compile(device::Device& device, std::span<const Request> requests) {
  return within_memory([&] { return Executable::make_all(device, requests); });
}

Result<std::vector<Executable>> Executable::make_all(device::Device& device,
                                                     std::span<const Request> requests) {
  std::vector<Executable> made;
  if (requests.empty()) return made;
  std::vector<Stages> stages;
  for (const Request& request : requests) stages.push_back(ir::stages(request.program));
  const auto source = emit_all(device, requests, stages);
  if (!source) return Unexpected(source.error());
  std::span<const emit::Entry> entries = source->entries;
  auto module = device.compile(source->text);
  if (!module) return Unexpected(module.error());
  const std::shared_ptr<device::Module> shared = *std::move(module);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto own = entries.first(stages[i].size());
    entries = entries.subspan(own.size());
    auto one = Executable::make(device, shared, requests[i], stages[i], own);
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
