#include "device/opencl_api.h"

#include <dlfcn.h>

#include <optional>

#include "base/check.h"

namespace vyre::device {
namespace {

// Fills a table from a library and remembers whether anything was missing.
class Symbols {
 public:
  explicit Symbols(void* library) : library_(library) {}

  template <class Function>
  void get(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    complete_ = complete_ && function != nullptr;
  }
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  void* library_;
  bool complete_ = true;
};

std::optional<OpenclApi> load() {
  void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  OpenclApi api;
  Symbols symbols(library);
  symbols.get(api.clGetPlatformIDs, "clGetPlatformIDs");
  symbols.get(api.clGetPlatformInfo, "clGetPlatformInfo");
  symbols.get(api.clGetDeviceIDs, "clGetDeviceIDs");
  symbols.get(api.clGetDeviceInfo, "clGetDeviceInfo");
  symbols.get(api.clCreateContext, "clCreateContext");
  symbols.get(api.clReleaseContext, "clReleaseContext");
  symbols.get(api.clCreateCommandQueue, "clCreateCommandQueue");
  symbols.get(api.clReleaseCommandQueue, "clReleaseCommandQueue");
  symbols.get(api.clCreateProgramWithSource, "clCreateProgramWithSource");
  symbols.get(api.clBuildProgram, "clBuildProgram");
  symbols.get(api.clGetProgramBuildInfo, "clGetProgramBuildInfo");
  symbols.get(api.clGetProgramInfo, "clGetProgramInfo");
  symbols.get(api.clReleaseProgram, "clReleaseProgram");
  symbols.get(api.clCreateKernel, "clCreateKernel");
  symbols.get(api.clGetKernelInfo, "clGetKernelInfo");
  symbols.get(api.clGetKernelWorkGroupInfo, "clGetKernelWorkGroupInfo");
  symbols.get(api.clSetKernelArg, "clSetKernelArg");
  symbols.get(api.clReleaseKernel, "clReleaseKernel");
  symbols.get(api.clCreateBuffer, "clCreateBuffer");
  symbols.get(api.clReleaseMemObject, "clReleaseMemObject");
  symbols.get(api.clEnqueueWriteBuffer, "clEnqueueWriteBuffer");
  symbols.get(api.clEnqueueReadBuffer, "clEnqueueReadBuffer");
  symbols.get(api.clEnqueueNDRangeKernel, "clEnqueueNDRangeKernel");
  symbols.get(api.clFinish, "clFinish");
  symbols.get(api.clGetEventInfo, "clGetEventInfo");
  symbols.get(api.clGetEventProfilingInfo, "clGetEventProfilingInfo");
  symbols.get(api.clReleaseEvent, "clReleaseEvent");
  if (!symbols.complete()) return std::nullopt;
  return api;
}

}  // namespace

const OpenclApi* find_opencl() {
  static const std::optional<OpenclApi> api = load();
  return api ? &*api : nullptr;
}

const OpenclApi& opencl() {
  static const OpenclApi* const api = find_opencl();
  check(api != nullptr, "OpenCL is used only where it was found");
  return *api;
}

}  // namespace vyre::device
