#include "device/opencl_timing.h"

#include <algorithm>
#include <chrono>
#include <expected>
#include <thread>

#include "device/cpu_time.h"

namespace vyre::device {
namespace {

using Clock = std::chrono::steady_clock;

// What an event says of its command, or the code with which the command ended.
template <class Value>
std::expected<Value, cl_int> profiled(cl_event event, cl_profiling_info what) {
  Value value = 0;
  const cl_int code =
      opencl().get_event_profiling_info(event, what, sizeof(value), &value, nullptr);
  if (code != CL_SUCCESS) return std::unexpected(code);
  return value;
}

// One of CL_QUEUED ... CL_COMPLETE, or a negative error code.
cl_int state_of(cl_event event) {
  cl_int state = CL_COMPLETE;
  const cl_int code = opencl().get_event_info(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                              sizeof(state), &state, nullptr);
  return code == CL_SUCCESS ? state : code;
}

// A driver may compile for a workgroup size at its first launch; the command is not running then.
void wait_until_running(cl_event event) {
  using namespace std::chrono_literals;
  while (state_of(event) > CL_RUNNING) std::this_thread::sleep_for(200us);
}

std::expected<std::uint64_t, cl_int> duration(cl_event first, cl_event last) {
  for (const cl_event event : {first, last}) {
    if (const cl_int state = state_of(event); state < 0) return std::unexpected(state);
  }
  const auto start = profiled<cl_ulong>(first, CL_PROFILING_COMMAND_START);
  if (!start) return std::unexpected(start.error());
  const auto end = profiled<cl_ulong>(last, CL_PROFILING_COMMAND_END);
  if (!end) return std::unexpected(end.error());
  return *end > *start ? *end - *start : 0;
}

cl_int launch_rest(const OpenclKernel& kernel, cl_command_queue queue, std::uint32_t launches,
                   EventHandle& last) {
  cl_int code = CL_SUCCESS;
  for (std::uint32_t i = 1; i < launches && code == CL_SUCCESS; ++i) {
    code = kernel.enqueue(queue, i + 1 == launches ? last.out() : nullptr);
  }
  return code;
}

}  // namespace

Result<Timing> time_launches(const OpenclKernel& kernel, cl_command_queue queue,
                             const TimeOptions& options, bool on_own_cpu) {
  EventHandle first;
  EventHandle last;
  const std::uint64_t cpu = on_own_cpu ? process_cpu_ns() : 0;
  const auto begin = Clock::now();
  cl_int code = kernel.enqueue(queue, first.out());
  if (code == CL_SUCCESS && options.started) {
    code = opencl().flush(queue);
    if (code == CL_SUCCESS) wait_until_running(first.get());
    options.started();
  }
  if (code == CL_SUCCESS) code = launch_rest(kernel, queue, options.launches, last);
  // Launches made before one that was refused are waited for too: they use the buffers.
  const cl_int finished = opencl().finish(queue);
  const auto wall = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin);
  const std::uint64_t cpu_end = on_own_cpu ? process_cpu_ns() : 0;
  if (code == CL_SUCCESS) code = finished;
  if (code != CL_SUCCESS) return kernel.failure(code);
  const auto took = duration(first.get(), last.get() != nullptr ? last.get() : first.get());
  if (!took) return kernel.failure(took.error());
  return Timing{.device_ns = *took,
                .wall_ns = static_cast<std::uint64_t>(wall.count()),
                .cpu_ns = cpu_end - cpu};
}

}  // namespace vyre::device
