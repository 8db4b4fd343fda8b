// launch_overhead_ratio: a launch through vyre against clEnqueueNDRangeKernel + clFinish on the
// same kernel, same buffer, same shape.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <fmt/format.h>

#include "bench.h"
#include "vyre/device/device.h"
#include "vyre/emit/emit.h"
#include "vyre/ir/text.h"
#include "vyre/run/run.h"

namespace vyre::bench {
namespace {

constexpr std::string_view text = R"(program tiny {
  buffer x: f32[64] read_write
  grid 64
  let i = invocation.x
  x[i] = x[i] + 1.0
})";

// As vyre compiles it.
const char* build_options(cl_device_id device) {
  cl_device_fp_config config = 0;
  clGetDeviceInfo(device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, nullptr);
  return (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0
             ? "-w -cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
             : "-w -cl-std=CL1.2";
}

// The same work by hand, on the first device of the same kind.
class RawLaunch {
 public:
  Result<void> prepare(const std::string& source, const std::string& entry) {
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
    buffer_ = clCreateBuffer(context_, CL_MEM_READ_WRITE, 64 * sizeof(float), nullptr, &status);
    const float zeros[64] = {};
    status |=
        clEnqueueWriteBuffer(queue_, buffer_, CL_TRUE, 0, sizeof zeros, zeros, 0, nullptr, nullptr);
    status |= clSetKernelArg(kernel_, 0, sizeof buffer_, &buffer_);
    if (status != CL_SUCCESS) {
      return fail(ErrorKind::device, fmt::format("raw OpenCL set-up failed with {}", status));
    }
    return {};
  }

  void launch() {
    const std::size_t size = 64;
    clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &size, &size, 0, nullptr, nullptr);
    clFinish(queue_);
  }

  ~RawLaunch() {
    clReleaseKernel(kernel_);
    clReleaseProgram(program_);
    clReleaseMemObject(buffer_);
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }
  RawLaunch() = default;
  RawLaunch(const RawLaunch&) = delete;
  RawLaunch& operator=(const RawLaunch&) = delete;

 private:
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  cl_mem buffer_ = nullptr;
};

Result<std::vector<Row>> measure() {
  const auto program = ir::parse(text);
  if (!program) return std::unexpected(program.error()[0]);
  auto device = device::open("opencl");
  if (!device) return std::unexpected(device.error());
  auto executable = run::compile(**device, run::Request{*program, {}});
  if (!executable) return std::unexpected(executable.error());
  auto buffer = (*device)->allocate(64 * sizeof(float));
  if (!buffer) return std::unexpected(buffer.error());
  device::Buffer* const buffers[] = {buffer->get()};

  const emit::Unit unit{*program, {}};
  const auto source = emit::emit(std::span(&unit, 1), emit::Language::opencl_c);
  if (!source) return std::unexpected(source.error());
  RawLaunch raw;
  if (auto ready = raw.prepare(source->text, source->entries[0].name); !ready) {
    return std::unexpected(ready.error());
  }

  constexpr int launches = 200;
  const auto vyre_round = [&] {
    for (int i = 0; i < launches; ++i) {
      if (auto done = executable->launch(buffers); !done) return false;
    }
    return true;
  };
  const auto raw_round = [&] {
    for (int i = 0; i < launches; ++i) raw.launch();
  };
  if (!vyre_round()) return fail(ErrorKind::device, "the launch failed");
  raw_round();
  // Drift between the two halves of a round cancels by changing who goes first.
  std::vector<double> ratios;
  std::vector<double> raw_times;
  for (int round = 0; round < 101; ++round) {
    double ours = 0;
    double theirs = 0;
    if (round % 2 == 0) ours = wall_ns(vyre_round);
    theirs = wall_ns(raw_round);
    if (round % 2 == 1) ours = wall_ns(vyre_round);
    ratios.push_back(ours / theirs);
    raw_times.push_back(theirs / launches);
  }
  return std::vector<Row>{{.name = "launch_overhead_ratio",
                           .value = median(ratios),
                           .target = 1.05,
                           .better = Better::lower,
                           .baseline = "clEnqueueNDRangeKernel + clFinish",
                           .note = fmt::format("raw launch {:.1f} us", median(raw_times) / 1e3)}};
}

}  // namespace

Benchmark launch_overhead() { return {{"launch_overhead_ratio"}, measure}; }

}  // namespace vyre::bench
