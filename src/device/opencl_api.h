// The functions of libOpenCL.so.1, found at run time.
//
// vyre does not link against OpenCL: a machine without it still has the reference device and gets a
// message instead of a program that does not start.
#pragma once

// 1.2 is what every vendor has, and in it nothing that vyre calls is deprecated.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

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
  decltype(&::clEnqueueNDRangeKernel) enqueue_nd_range_kernel = nullptr;
  decltype(&::clFlush) flush = nullptr;
  decltype(&::clFinish) finish = nullptr;
  decltype(&::clGetEventInfo) get_event_info = nullptr;
  decltype(&::clGetEventProfilingInfo) get_event_profiling_info = nullptr;
  decltype(&::clReleaseEvent) release_event = nullptr;
};

// Loads the library at the first call and keeps it: drivers have threads that outlive any device.
// Null where there is no library.
[[nodiscard]] const OpenclApi* find_opencl();

// Requires: find_opencl() found it.
[[nodiscard]] const OpenclApi& opencl();

}  // namespace vyre::device
