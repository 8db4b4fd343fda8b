#include "raw_queue.h"

#include <fmt/format.h>

#include "emit/emit.h"
#include "run/sizes.h"

namespace vyre::bench {
namespace {

// As vyre compiles it.
const char* build_options(cl_device_id device) {
  cl_device_fp_config config = 0;
  clGetDeviceInfo(device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, nullptr);
  return (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0
             ? "-w -cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
             : "-w -cl-std=CL1.2";
}

}  // namespace

Result<void> RawQueue::prepare(const ir::Program& program, const ir::Uniforms& uniforms) {
  VYRE_TRY(const auto shape, ir::launch_shape(program, uniforms));
  for (std::size_t d = 0; d < 3; ++d) {
    local_[d] = shape.workgroup[d];
    global_[d] = std::size_t{shape.groups[d]} * local_[d];
  }
  const emit::Unit unit{program, run::size_uniforms(program, uniforms)};
  VYRE_TRY(const auto source, emit::emit(std::span(&unit, 1), Language::opencl_c));
  VYRE_CHECK(open(source.text, source.entries[0].name));
  cl_int status = CL_SUCCESS;
  std::vector<std::size_t> order;
  for (const ir::Buffer& buffer : run::global_buffers(program)) {
    VYRE_TRY(const auto bytes, run::bytes_of(program, buffer, uniforms));
    status |= allocate(bytes);
    order.push_back(order.size());
  }
  bind(order);
  for (std::size_t i = 0; i < source.entries[0].uniforms.size(); ++i) {
    const Literal value = ir::uniform_value(program, source.entries[0].uniforms[i], uniforms);
    status |= clSetKernelArg(kernel_, static_cast<cl_uint>(order.size() + i),
                             storage_bytes(value.scalar), &value.bits);
  }
  if (status == CL_SUCCESS) return {};
  return fail(ErrorKind::device, fmt::format("raw OpenCL set-up failed with {}", status));
}

Result<void> RawQueue::open(const std::string& source, const std::string& entry) {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  clGetPlatformIDs(1, &platform, nullptr);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  cl_int status = 0;
  context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  queue_ = clCreateCommandQueue(context_, device, 0, &status);
  const char* lines = source.c_str();
  program_ = clCreateProgramWithSource(context_, 1, &lines, nullptr, &status);
  status = clBuildProgram(program_, 1, &device, build_options(device), nullptr, nullptr);
  kernel_ = clCreateKernel(program_, entry.c_str(), &status);
  if (status == CL_SUCCESS) return {};
  return fail(ErrorKind::device, fmt::format("raw OpenCL set-up failed with {}", status));
}

cl_int RawQueue::allocate(std::size_t bytes) {
  cl_int status = CL_SUCCESS;
  buffers_.push_back(clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &status));
  const std::vector<std::byte> zeros(bytes);
  return status | clEnqueueWriteBuffer(queue_, buffers_.back(), CL_TRUE, 0, bytes, zeros.data(), 0,
                                       nullptr, nullptr);
}

void RawQueue::bind(std::span<const std::size_t> buffers) {
  for (cl_uint i = 0; i < buffers.size(); ++i) {
    clSetKernelArg(kernel_, i, sizeof(cl_mem), &buffers_[buffers[i]]);
  }
}

RawQueue::~RawQueue() {
  if (kernel_ != nullptr) clReleaseKernel(kernel_);
  if (program_ != nullptr) clReleaseProgram(program_);
  for (const cl_mem buffer : buffers_) clReleaseMemObject(buffer);
  if (queue_ != nullptr) clReleaseCommandQueue(queue_);
  if (context_ != nullptr) clReleaseContext(context_);
}

}  // namespace vyre::bench
