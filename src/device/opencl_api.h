// The functions of libOpenCL.so.1, found at run time.
//
// vyre does not link against OpenCL: a machine without it still has the reference device and gets a
// message instead of a program that does not start.
#pragma once

// 1.2 is what every vendor has, and in it nothing that vyre calls is deprecated.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "vyre/base/error.h"

namespace vyre::device {

struct OpenclApi {
  decltype(&::clGetPlatformIDs) clGetPlatformIDs = nullptr;
  decltype(&::clGetPlatformInfo) clGetPlatformInfo = nullptr;
  decltype(&::clGetDeviceIDs) clGetDeviceIDs = nullptr;
  decltype(&::clGetDeviceInfo) clGetDeviceInfo = nullptr;
  decltype(&::clCreateContext) clCreateContext = nullptr;
  decltype(&::clReleaseContext) clReleaseContext = nullptr;
  decltype(&::clCreateCommandQueue) clCreateCommandQueue = nullptr;
  decltype(&::clReleaseCommandQueue) clReleaseCommandQueue = nullptr;
  decltype(&::clCreateProgramWithSource) clCreateProgramWithSource = nullptr;
  decltype(&::clBuildProgram) clBuildProgram = nullptr;
  decltype(&::clGetProgramBuildInfo) clGetProgramBuildInfo = nullptr;
  decltype(&::clGetProgramInfo) clGetProgramInfo = nullptr;
  decltype(&::clReleaseProgram) clReleaseProgram = nullptr;
  decltype(&::clCreateKernel) clCreateKernel = nullptr;
  decltype(&::clGetKernelInfo) clGetKernelInfo = nullptr;
  decltype(&::clGetKernelWorkGroupInfo) clGetKernelWorkGroupInfo = nullptr;
  decltype(&::clSetKernelArg) clSetKernelArg = nullptr;
  decltype(&::clReleaseKernel) clReleaseKernel = nullptr;
  decltype(&::clCreateBuffer) clCreateBuffer = nullptr;
  decltype(&::clReleaseMemObject) clReleaseMemObject = nullptr;
  decltype(&::clEnqueueWriteBuffer) clEnqueueWriteBuffer = nullptr;
  decltype(&::clEnqueueReadBuffer) clEnqueueReadBuffer = nullptr;
  decltype(&::clEnqueueNDRangeKernel) clEnqueueNDRangeKernel = nullptr;
  decltype(&::clFinish) clFinish = nullptr;
  decltype(&::clGetEventInfo) clGetEventInfo = nullptr;
  decltype(&::clGetEventProfilingInfo) clGetEventProfilingInfo = nullptr;
  decltype(&::clReleaseEvent) clReleaseEvent = nullptr;
};

// Loads the library at the first call and keeps it: drivers have threads that outlive any device.
// Null where there is no library.
[[nodiscard]] const OpenclApi* find_opencl();

// Requires: find_opencl() found it.
[[nodiscard]] const OpenclApi& opencl();

}  // namespace vyre::device
