// OpenCL by hand, as a user would write it: one kernel, buffers of floats, one queue in order. What
// vyre is held against.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/base/launch.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::bench {

// A program of which all uniforms are fixed, on the first device of the first platform.
class RawQueue {
 public:
  RawQueue() = default;
  ~RawQueue();
  RawQueue(const RawQueue&) = delete;
  RawQueue& operator=(const RawQueue&) = delete;

  // A buffer of zeros for each global buffer of the program.
  [[nodiscard]] Result<void> prepare(const ir::Program& program, const ir::Uniforms& uniforms = {});
  // Which buffer each argument is.
  void bind(std::span<const std::size_t> buffers);
  void enqueue() {
    clEnqueueNDRangeKernel(queue_, kernel_, 3, nullptr, global_.data(), local_.data(), 0, nullptr,
                           nullptr);
  }
  void finish() { clFinish(queue_); }

 private:
  [[nodiscard]] Result<void> open(const std::string& source, const std::string& entry);
  [[nodiscard]] cl_int allocate(std::size_t bytes);

  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  std::vector<cl_mem> buffers_;
  std::array<std::size_t, 3> global_ = {};
  std::array<std::size_t, 3> local_ = {};
};

}  // namespace vyre::bench
