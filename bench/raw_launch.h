// A launch by hand, clEnqueueNDRangeKernel + clFinish: what launches through vyre are held against.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <functional>
#include <string>

#include "bench.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::bench {

// A program without uniforms, with one buffer of floats as long as its grid, on the first device of
// the first platform.
class RawLaunch {
 public:
  RawLaunch() = default;
  ~RawLaunch();
  RawLaunch(const RawLaunch&) = delete;
  RawLaunch& operator=(const RawLaunch&) = delete;

  [[nodiscard]] Result<void> prepare(const ir::Program& program);
  void launch();

 private:
  [[nodiscard]] Result<void> prepare(const std::string& source, const std::string& entry);

  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  cl_mem buffer_ = nullptr;
  std::size_t global_ = 0;
  std::size_t local_ = 0;
};

// The median over rounds of the time of `launch`, which says whether it went well, to that of the
// launch by hand; the target is at most 1.05.
[[nodiscard]] Result<Row> against_raw(std::string name, const std::function<bool()>& launch,
                                      RawLaunch& raw);

}  // namespace vyre::bench
