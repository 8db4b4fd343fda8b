#include "device/opencl_event.h"

#include <chrono>
#include <thread>

namespace vyre::device {
namespace {

// One of CL_QUEUED ... CL_COMPLETE, or a negative error code.
cl_int state_of(cl_event event) {
  cl_int state = CL_COMPLETE;
  const cl_int code = opencl().get_event_info(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                              sizeof(state), &state, nullptr);
  return code == CL_SUCCESS ? state : code;
}

// What an event says of its command, or the code with which the query failed.
Expected<cl_ulong, cl_int> profiled(cl_event event, cl_profiling_info what) {
  cl_ulong value = 0;
  const cl_int code =
      opencl().get_event_profiling_info(event, what, sizeof(value), &value, nullptr);
  if (code != CL_SUCCESS) return Unexpected(code);
  return value;
}

}  // namespace

cl_int wait_for(cl_event event) {
  const cl_int code = opencl().wait_for_events(1, &event);
  if (code != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) return code;
  const cl_int state = state_of(event);
  return state < 0 ? state : code;
}

Event::State command_state(cl_event event) {
  const cl_int state = state_of(event);
  if (state > CL_COMPLETE) return Event::State::under_way;
  return state == CL_COMPLETE ? Event::State::done : Event::State::failed;
}

void wait_until_running(cl_event event) {
  using namespace std::chrono_literals;
  while (state_of(event) > CL_RUNNING) std::this_thread::sleep_for(200us);
}

Expected<std::optional<std::uint64_t>, cl_int> duration(cl_event first, cl_event last) {
  for (const cl_event event : {first, last}) {
    if (const cl_int state = state_of(event); state < 0) return Unexpected(state);
  }
  const auto start = profiled(first, CL_PROFILING_COMMAND_START);
  if (!start) return Unexpected(start.error());
  const auto end = profiled(last, CL_PROFILING_COMMAND_END);
  if (!end) return Unexpected(end.error());
  if (*end <= *start) return std::nullopt;
  return *end - *start;
}

}  // namespace vyre::device
