// The functions of libOpenCL.so.1, found at run time; owners of the objects it makes; its answers
// to queries as values.
//
// vyre does not link against OpenCL: a machine without it still has the reference device and gets a
// message instead of a program that does not start.
#pragma once

// 1.2 is what every vendor has, and in it nothing that vyre calls is deprecated.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <string>
#include <string_view>
#include <utility>

namespace vyre::device {

struct OpenclApi {
  decltype(&::clGetPlatformIDs) get_platform_ids = nullptr;
  decltype(&::clGetPlatformInfo) get_platform_info = nullptr;
  decltype(&::clGetDeviceIDs) get_device_ids = nullptr;
  decltype(&::clGetDeviceInfo) get_device_info = nullptr;
  decltype(&::clCreateContext) create_context = nullptr;
  decltype(&::clReleaseContext) release_context = nullptr;
  decltype(&::clCreateCommandQueue) create_command_queue = nullptr;
  decltype(&::clReleaseCommandQueue) release_command_queue = nullptr;
  decltype(&::clCreateProgramWithSource) create_program_with_source = nullptr;
  decltype(&::clBuildProgram) build_program = nullptr;
  decltype(&::clGetProgramBuildInfo) get_program_build_info = nullptr;
  decltype(&::clGetProgramInfo) get_program_info = nullptr;
  decltype(&::clReleaseProgram) release_program = nullptr;
  decltype(&::clCreateKernel) create_kernel = nullptr;
  decltype(&::clGetKernelInfo) get_kernel_info = nullptr;
  decltype(&::clGetKernelWorkGroupInfo) get_kernel_work_group_info = nullptr;
  decltype(&::clSetKernelArg) set_kernel_arg = nullptr;
  decltype(&::clReleaseKernel) release_kernel = nullptr;
  decltype(&::clCreateBuffer) create_buffer = nullptr;
  decltype(&::clCreateSubBuffer) create_sub_buffer = nullptr;
  decltype(&::clReleaseMemObject) release_mem_object = nullptr;
  decltype(&::clEnqueueWriteBuffer) enqueue_write_buffer = nullptr;
  decltype(&::clEnqueueReadBuffer) enqueue_read_buffer = nullptr;
  decltype(&::clEnqueueCopyBuffer) enqueue_copy_buffer = nullptr;
  decltype(&::clEnqueueFillBuffer) enqueue_fill_buffer = nullptr;
  decltype(&::clEnqueueMapBuffer) enqueue_map_buffer = nullptr;
  decltype(&::clEnqueueUnmapMemObject) enqueue_unmap_mem_object = nullptr;
  decltype(&::clEnqueueNDRangeKernel) enqueue_nd_range_kernel = nullptr;
  decltype(&::clEnqueueMarkerWithWaitList) enqueue_marker_with_wait_list = nullptr;
  decltype(&::clEnqueueBarrierWithWaitList) enqueue_barrier_with_wait_list = nullptr;
  decltype(&::clFlush) flush = nullptr;
  decltype(&::clFinish) finish = nullptr;
  decltype(&::clWaitForEvents) wait_for_events = nullptr;
  decltype(&::clGetEventInfo) get_event_info = nullptr;
  decltype(&::clGetEventProfilingInfo) get_event_profiling_info = nullptr;
  decltype(&::clRetainEvent) retain_event = nullptr;
  decltype(&::clReleaseEvent) release_event = nullptr;
};

// Loads the library at the first call and keeps it: drivers have threads that outlive any device.
// Null where there is no library.
[[nodiscard]] const OpenclApi* find_opencl();

// Requires: find_opencl() found it.
[[nodiscard]] const OpenclApi& opencl();

// An owner of an OpenCL object: released once, moved, never copied.
template <class Raw, auto Release>
class OpenclHandle {
 public:
  OpenclHandle() = default;
  explicit OpenclHandle(Raw raw) : raw_(raw) {}
  OpenclHandle(OpenclHandle&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  OpenclHandle& operator=(OpenclHandle&& other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  OpenclHandle(const OpenclHandle&) = delete;
  OpenclHandle& operator=(const OpenclHandle&) = delete;
  ~OpenclHandle() {
    if (raw_ != nullptr) (opencl().*Release)(raw_);
  }

  [[nodiscard]] Raw get() const { return raw_; }
  // Where a call puts the object it makes. Requires: empty.
  [[nodiscard]] Raw* out() { return &raw_; }

 private:
  Raw raw_ = nullptr;
};

using ContextHandle = OpenclHandle<cl_context, &OpenclApi::release_context>;
using QueueHandle = OpenclHandle<cl_command_queue, &OpenclApi::release_command_queue>;
using ProgramHandle = OpenclHandle<cl_program, &OpenclApi::release_program>;
using KernelHandle = OpenclHandle<cl_kernel, &OpenclApi::release_kernel>;
using MemoryHandle = OpenclHandle<cl_mem, &OpenclApi::release_mem_object>;
using EventHandle = OpenclHandle<cl_event, &OpenclApi::release_event>;

// Queries. One that the driver refuses gives the default: an empty string, zero.

// `query(size, value, size_out)` is one of the clGet...Info calls with its other arguments bound.
template <class Query>
std::string text_info(Query query) {
  std::size_t size = 0;
  if (query(std::size_t{0}, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  if (query(size, text.data(), nullptr) != CL_SUCCESS) return {};
  // Drivers count the final zero, and some pad with more.
  text.resize(text.find_last_not_of(std::string_view("\0 \n", 3)) + 1);
  return text;
}

template <class Value, class Query>
Value value_info(Query query) {
  Value value{};
  if (query(sizeof(value), &value, nullptr) != CL_SUCCESS) return Value{};
  return value;
}

inline auto device_query(cl_device_id device, cl_device_info what) {
  return [=](std::size_t size, void* value, std::size_t* size_out) {
    return opencl().get_device_info(device, what, size, value, size_out);
  };
}

inline std::string device_text(cl_device_id device, cl_device_info what) {
  return text_info(device_query(device, what));
}

template <class Value>
Value device_value(cl_device_id device, cl_device_info what) {
  return value_info<Value>(device_query(device, what));
}

}  // namespace vyre::device
