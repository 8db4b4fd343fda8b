#include "raw_launch.h"

#include <fmt/format.h>

#include <vector>

#include "emit/emit.h"
#include "vyre/ir/size.h"

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

Result<void> RawLaunch::prepare(const ir::Program& program) {
  const auto shape = ir::launch_shape(program);
  if (!shape) return Unexpected(shape.error());
  global_ = shape->grid[0];
  local_ = shape->workgroup[0];
  const emit::Unit unit{program, {}};
  const auto source = emit::emit(std::span(&unit, 1), Language::opencl_c);
  if (!source) return Unexpected(source.error());
  return prepare(source->text, source->entries[0].name);
}

Result<void> RawLaunch::prepare(const std::string& source, const std::string& entry) {
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
  const std::vector<float> zeros(global_);
  const std::size_t bytes = global_ * sizeof(float);
  buffer_ = clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &status);
  status |=
      clEnqueueWriteBuffer(queue_, buffer_, CL_TRUE, 0, bytes, zeros.data(), 0, nullptr, nullptr);
  status |= clSetKernelArg(kernel_, 0, sizeof buffer_, &buffer_);
  if (status != CL_SUCCESS) {
    return fail(ErrorKind::device, fmt::format("raw OpenCL set-up failed with {}", status));
  }
  return {};
}

void RawLaunch::launch() {
  clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &global_, &local_, 0, nullptr, nullptr);
  clFinish(queue_);
}

RawLaunch::~RawLaunch() {
  clReleaseKernel(kernel_);
  clReleaseProgram(program_);
  clReleaseMemObject(buffer_);
  clReleaseCommandQueue(queue_);
  clReleaseContext(context_);
}

Result<Row> against_raw(std::string name, const std::function<bool()>& launch, RawLaunch& raw) {
  constexpr int launches = 20;
  bool good = true;
  const auto our_round = [&] {
    for (int i = 0; i < launches; ++i) good = launch() && good;
  };
  const auto raw_round = [&] {
    for (int i = 0; i < launches; ++i) raw.launch();
  };
  our_round();
  raw_round();
  // Drift between the two halves of a round cancels by changing who goes first.
  std::vector<double> ratios;
  std::vector<double> raw_times;
  for (int round = 0; round < 1001; ++round) {
    double ours = 0;
    double theirs = 0;
    if (round % 2 == 0) ours = wall_ns(our_round);
    theirs = wall_ns(raw_round);
    if (round % 2 == 1) ours = wall_ns(our_round);
    ratios.push_back(ours / theirs);
    raw_times.push_back(theirs / launches);
  }
  if (!good) return fail(ErrorKind::device, "a launch failed");
  return Row{.name = std::move(name),
             .value = median(ratios),
             .target = 1.05,
             .better = Better::lower,
             .baseline = "clEnqueueNDRangeKernel + clFinish",
             .note = fmt::format("raw launch {:.1f} us", median(raw_times) / 1e3)};
}

}  // namespace vyre::bench
