// Timed launches on a queue that has profiling.
#pragma once

#include "device/opencl_kernel.h"
#include "vyre/device/device.h"

namespace vyre::device {

// Launches as often as asked and waits for the last. Requires: a prepared kernel.
[[nodiscard]] Result<Timing> time_launches(const OpenclKernel& kernel, cl_command_queue queue,
                                           const TimeOptions& options, bool on_own_cpu);

}  // namespace vyre::device
