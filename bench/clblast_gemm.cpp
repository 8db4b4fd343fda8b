#include "clblast_gemm.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <clblast.h>
#include <fmt/format.h>

namespace vyre::bench {

struct ClblastGemm::State {
  std::size_t n = 0;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_mem a = nullptr;
  cl_mem b = nullptr;
  cl_mem c = nullptr;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    for (cl_mem buffer : {a, b, c}) {
      if (buffer != nullptr) clReleaseMemObject(buffer);
    }
    if (queue != nullptr) clReleaseCommandQueue(queue);
    if (context != nullptr) clReleaseContext(context);
  }
};

ClblastGemm::ClblastGemm(std::unique_ptr<State> state) : state_(std::move(state)) {}
ClblastGemm::ClblastGemm(ClblastGemm&&) noexcept = default;
ClblastGemm::~ClblastGemm() = default;

Result<ClblastGemm> ClblastGemm::make(std::size_t n, const std::vector<float>& a,
                                      const std::vector<float>& b) {
  auto state = std::make_unique<State>();
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  clGetPlatformIDs(1, &platform, nullptr);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  cl_int status = 0;
  state->n = n;
  state->context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  state->queue = clCreateCommandQueue(state->context, device, 0, &status);
  const auto buffer = [&](const std::vector<float>& from) {
    cl_int made = 0;
    cl_mem memory =
        clCreateBuffer(state->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       from.size() * sizeof(float), const_cast<float*>(from.data()), &made);
    status |= made;
    return memory;
  };
  state->a = buffer(a);
  state->b = buffer(b);
  state->c = buffer(std::vector<float>(n * n));
  if (status != CL_SUCCESS) {
    return fail(ErrorKind::device, fmt::format("raw OpenCL set-up failed with {}", status));
  }
  return ClblastGemm(std::move(state));
}

bool ClblastGemm::launch() {
  const std::size_t n = state_->n;
  cl_event done = nullptr;
  const auto status = clblast::Gemm(clblast::Layout::kRowMajor, clblast::Transpose::kNo,
                                    clblast::Transpose::kNo, n, n, n, 1.0F, state_->a, 0, n,
                                    state_->b, 0, n, 0.0F, state_->c, 0, n, &state_->queue, &done);
  if (status != clblast::StatusCode::kSuccess) return false;
  clWaitForEvents(1, &done);
  clReleaseEvent(done);
  return true;
}

}  // namespace vyre::bench
