#include "device/command_queues.h"

#include "device/opencl_error.h"

namespace vyre::device {

cl_int CommandQueues::wait_in(cl_command_queue later, cl_command_queue earlier, cl_event event) {
  // Only what was flushed is promised to run while another queue waits for it.
  if (const cl_int code = opencl().flush(earlier); code != CL_SUCCESS) return code;
  return opencl().enqueue_barrier_with_wait_list(later, 1, &event, nullptr);
}

cl_int CommandQueues::put_before_the_rest(cl_command_queue queue, cl_event event) {
  const std::lock_guard guard(changing_);
  if (active_.load() == queue) return CL_SUCCESS;
  return wait_in(active_.load(), queue, event);
}

// A command that looked at `active_` before it became null is either enqueued before the marker, or
// looks again after that and puts itself before the rest.
Result<void> CommandQueues::switch_to(bool second, const OtherQueue& make_second) {
  const std::lock_guard guard(changing_);
  if (second && second_.get() == nullptr) {
    VYRE_TRY(auto made, make_second());
    second_ = std::move(made);
  }
  const cl_command_queue from = active_.load();
  const cl_command_queue to = second ? second_.get() : first_.get();
  if (from == to) return {};
  active_.store(nullptr);
  EventHandle end;
  cl_int code = opencl().enqueue_marker_with_wait_list(from, 0, nullptr, end.out());
  if (code == CL_SUCCESS) code = wait_in(to, from, end.get());
  active_.store(code == CL_SUCCESS ? to : from);
  if (code != CL_SUCCESS) return opencl_failure("changing to a queue with other events", code);
  return {};
}

}  // namespace vyre::device
