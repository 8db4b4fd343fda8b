#include "device/opencl_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <typeinfo>

#include "base/clock.h"
#include "device/launch_shape.h"
#include "device/opencl_buffer.h"
#include "device/opencl_error.h"
#include "device/opencl_event.h"

namespace vyre::device {
namespace {

template <class Value>
Value kernel_value(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what) {
  return value_info<Value>([=](std::size_t size, void* value, std::size_t* size_out) {
    return opencl().get_kernel_work_group_info(kernel, device, what, size, value, size_out);
  });
}

cl_uint argument_count(cl_kernel kernel) {
  return value_info<cl_uint>([=](std::size_t size, void* value, std::size_t* size_out) {
    return opencl().get_kernel_info(kernel, CL_KERNEL_NUM_ARGS, size, value, size_out);
  });
}

std::string entries_of(cl_program program) {
  return text_info([=](std::size_t size, void* value, std::size_t* size_out) {
    return opencl().get_program_info(program, CL_PROGRAM_KERNEL_NAMES, size, value, size_out);
  });
}

cl_int launch_again(const OpenclKernel& kernel, cl_command_queue queue, std::uint32_t launches,
                    EventHandle& last) {
  cl_int code = CL_SUCCESS;
  for (std::uint32_t i = 1; i < launches && code == CL_SUCCESS; ++i) {
    code = kernel.enqueue(queue, i + 1 == launches ? last.out() : nullptr);
  }
  return code;
}

}  // namespace

Result<std::unique_ptr<Kernel>> OpenclKernel::create(const Device& owner,
                                                     const OpenclDeviceInfo& info,
                                                     cl_program program, std::string_view entry) {
  auto kernel = std::make_unique<OpenclKernel>();
  kernel->owner_ = &owner;
  kernel->entry_ = entry;
  cl_int code = CL_SUCCESS;
  kernel->kernel_ = KernelHandle(opencl().create_kernel(program, kernel->entry_.c_str(), &code));
  if (code == CL_INVALID_KERNEL_NAME) {
    return fail(ErrorKind::input, fmt::format("there is no kernel '{}' in the source; it has: {}",
                                              entry, entries_of(program)));
  }
  if (code != CL_SUCCESS) return opencl_failure(fmt::format("making kernel '{}'", entry), code);

  const cl_kernel raw = kernel->kernel_.get();
  const auto shared = kernel_value<cl_ulong>(raw, info.device, CL_KERNEL_LOCAL_MEM_SIZE);
  if (shared > info.adapter.limits.shared_bytes) {
    return fail(ErrorKind::limit,
                fmt::format("kernel '{}' needs {} bytes of shared memory per workgroup; {} has {}",
                            entry, shared, info.adapter.name, info.adapter.limits.shared_bytes));
  }
  kernel->address_bits_ = info.address_bits;
  kernel->has_clock_ = info.has_clock;
  kernel->max_workgroup_ = kernel_value<std::size_t>(raw, info.device, CL_KERNEL_WORK_GROUP_SIZE);
  kernel->required_ =
      kernel_value<std::array<std::size_t, 3>>(raw, info.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  kernel->bound_.resize(argument_count(raw));
  return kernel;
}

Result<void> OpenclKernel::prepare(std::span<const Argument> arguments, const Shape& shape) {
  if (shape != shape_) {
    if (auto fits = fit(shape); !fits) return fits;
  }
  if (arguments.size() != bound_.size()) {
    return fail(ErrorKind::input, fmt::format("kernel '{}' takes {} arguments, {} were given",
                                              entry_, bound_.size(), arguments.size()));
  }
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    const Bound wanted = bound_by(arguments[i]);
    if (wanted == bound_[i] && wanted.kind != unset) continue;
    if (auto done = bind(i, wanted, arguments[i]); !done) return done;
  }
  return {};
}

OpenclKernel::Bound OpenclKernel::bound_by(const Argument& argument) const {
  if (const auto* literal = std::get_if<Literal>(&argument)) {
    return {literal->bits, static_cast<int>(literal->scalar)};
  }
  const OpenclBuffer* buffer = own_buffer(*owner_, std::get<Buffer*>(argument));
  return buffer == nullptr ? Bound{} : Bound{buffer->serial(), a_buffer};
}

Result<void> OpenclKernel::fit(const Shape& shape) {
  if (auto legal = check_shape(shape, owner_->adapter().limits); !legal) return legal;
  if (auto legal = check_kernel_limits(shape); !legal) return legal;
  dims_ = 1;
  for (cl_uint d = 0; d < 3; ++d) {
    local_[d] = shape.workgroup[d];
    global_[d] = std::size_t{shape.groups[d]} * shape.workgroup[d];
    if (global_[d] > 1) dims_ = d + 1;
  }
  shape_ = shape;
  return {};
}

Result<void> OpenclKernel::check_kernel_limits(const Shape& shape) const {
  for (std::size_t d = 0; d < 3; ++d) {
    if (required_[0] != 0 && required_[d] != shape.workgroup[d]) {
      return fail(
          ErrorKind::limit,
          fmt::format("kernel '{}' is compiled for workgroups of {} x {} x {}, not {}", entry_,
                      required_[0], required_[1], required_[2], to_string(shape.workgroup)));
    }
    const std::uint64_t global = std::uint64_t{shape.groups[d]} * shape.workgroup[d];
    if (address_bits_ < 64 && global >> address_bits_ != 0) {
      return fail(ErrorKind::limit, fmt::format("{} invocations leave the device's {} address bits",
                                                global, address_bits_));
    }
  }
  return {};
}

Result<void> OpenclKernel::bind(std::uint32_t index, Bound wanted, const Argument& argument) {
  if (wanted.kind == unset) {
    return fail(ErrorKind::input, fmt::format("argument {} of kernel '{}' is not a buffer of {}",
                                              index, entry_, owner_->adapter().name));
  }
  if (wanted.kind == a_buffer) {
    const cl_mem memory = own_buffer(*owner_, std::get<Buffer*>(argument))->memory();
    return set(index, wanted, sizeof(cl_mem), static_cast<const void*>(&memory));
  }
  // The bits are zero-extended, so the value is their first bytes on a little-endian host.
  const auto& literal = std::get<Literal>(argument);
  return set(index, wanted, storage_bytes(literal.scalar), &literal.bits);
}

Result<void> OpenclKernel::set(std::uint32_t index, Bound bound, std::size_t bytes,
                               const void* value) {
  const cl_int code = opencl().set_kernel_arg(kernel_.get(), index, bytes, value);
  bound_[index] = code == CL_SUCCESS ? bound : Bound{};
  if (code == CL_SUCCESS) return {};
  return opencl_failure(
      fmt::format("setting argument {} of kernel '{}' to a {} of {} bytes", index, entry_,
                  bound.kind == a_buffer ? "buffer handle" : "scalar", bytes),
      code);
}

// What a driver says of a kernel's largest workgroup is not asked before it refuses one: Mesa's
// says 32 of every kernel and runs 1024.
Failure OpenclKernel::failure(cl_int code) const {
  const auto invocations = volume(shape_.workgroup);
  if (code == CL_INVALID_WORK_GROUP_SIZE && invocations > max_workgroup_) {
    return fail(ErrorKind::limit,
                fmt::format("the workgroup {} has {} invocations; kernel '{}' can have at most {} "
                            "on this device",
                            to_string(shape_.workgroup), invocations, entry_, max_workgroup_));
  }
  return opencl_failure(fmt::format("launching kernel '{}' with {} groups of {}", entry_,
                                    to_string(shape_.groups), to_string(shape_.workgroup)),
                        code);
}

Result<Timing> OpenclKernel::time(cl_command_queue queue, const TimeOptions& options) const {
  const bool on_own_cpu = owner_->adapter().is_cpu;
  EventHandle first;
  EventHandle last;
  const std::uint64_t cpu = on_own_cpu ? process_cpu_ns() : 0;
  const auto begin = std::chrono::steady_clock::now();
  cl_int code = enqueue(queue, first.out());
  if (code == CL_SUCCESS && options.started) {
    code = opencl().flush(queue);
    if (code == CL_SUCCESS) wait_until_running(first.get());
    options.started();
  }
  if (code == CL_SUCCESS) code = launch_again(*this, queue, options.launches, last);
  // Launches made before one that was refused are waited for too: they use the buffers.
  const cl_int finished = opencl().finish(queue);
  const auto wall = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::steady_clock::now() - begin);
  const std::uint64_t cpu_end = on_own_cpu ? process_cpu_ns() : 0;
  if (code == CL_SUCCESS) code = finished;
  if (code != CL_SUCCESS) return failure(code);
  const auto took = duration(first.get(), last.get() != nullptr ? last.get() : first.get());
  if (!took) return failure(took.error());
  const auto wall_ns = static_cast<std::uint64_t>(wall.count());
  return Timing{.device_ns = has_clock_ ? took->value_or(wall_ns) : wall_ns,
                .wall_ns = wall_ns,
                .cpu_ns = cpu_end - cpu};
}

Result<OpenclKernel*> own_kernel(const Device& owner, Kernel& kernel) {
  if (typeid(kernel) == typeid(OpenclKernel)) {
    auto& own = static_cast<OpenclKernel&>(kernel);
    if (own.owner() == &owner) return &own;
  }
  return fail(ErrorKind::input,
              "the kernel belongs to another device than " + owner.adapter().name);
}

}  // namespace vyre::device
