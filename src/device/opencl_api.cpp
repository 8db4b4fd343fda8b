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
  symbols.get(api.get_platform_ids, "clGetPlatformIDs");
  symbols.get(api.get_platform_info, "clGetPlatformInfo");
  symbols.get(api.get_device_ids, "clGetDeviceIDs");
  symbols.get(api.get_device_info, "clGetDeviceInfo");
  symbols.get(api.create_context, "clCreateContext");
  symbols.get(api.release_context, "clReleaseContext");
  symbols.get(api.create_command_queue, "clCreateCommandQueue");
  symbols.get(api.release_command_queue, "clReleaseCommandQueue");
  symbols.get(api.create_program_with_source, "clCreateProgramWithSource");
  symbols.get(api.build_program, "clBuildProgram");
  symbols.get(api.get_program_build_info, "clGetProgramBuildInfo");
  symbols.get(api.get_program_info, "clGetProgramInfo");
  symbols.get(api.release_program, "clReleaseProgram");
  symbols.get(api.create_kernel, "clCreateKernel");
  symbols.get(api.get_kernel_info, "clGetKernelInfo");
  symbols.get(api.get_kernel_work_group_info, "clGetKernelWorkGroupInfo");
  symbols.get(api.set_kernel_arg, "clSetKernelArg");
  symbols.get(api.release_kernel, "clReleaseKernel");
  symbols.get(api.create_buffer, "clCreateBuffer");
  symbols.get(api.create_sub_buffer, "clCreateSubBuffer");
  symbols.get(api.release_mem_object, "clReleaseMemObject");
  symbols.get(api.enqueue_write_buffer, "clEnqueueWriteBuffer");
  symbols.get(api.enqueue_read_buffer, "clEnqueueReadBuffer");
  symbols.get(api.enqueue_copy_buffer, "clEnqueueCopyBuffer");
  symbols.get(api.enqueue_fill_buffer, "clEnqueueFillBuffer");
  symbols.get(api.enqueue_map_buffer, "clEnqueueMapBuffer");
  symbols.get(api.enqueue_unmap_mem_object, "clEnqueueUnmapMemObject");
  symbols.get(api.enqueue_nd_range_kernel, "clEnqueueNDRangeKernel");
  symbols.get(api.enqueue_marker_with_wait_list, "clEnqueueMarkerWithWaitList");
  symbols.get(api.enqueue_barrier_with_wait_list, "clEnqueueBarrierWithWaitList");
  symbols.get(api.flush, "clFlush");
  symbols.get(api.finish, "clFinish");
  symbols.get(api.wait_for_events, "clWaitForEvents");
  symbols.get(api.get_event_info, "clGetEventInfo");
  symbols.get(api.get_event_profiling_info, "clGetEventProfilingInfo");
  symbols.get(api.retain_event, "clRetainEvent");
  symbols.get(api.release_event, "clReleaseEvent");
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
