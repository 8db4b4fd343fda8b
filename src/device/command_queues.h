// Two command queues of which one is in use.
//
// OpenCL fixes when a command queue is made whether its events know times, and some drivers charge
// every command for that. So a queue that is timed now and then is two; at a change the other waits
// for what is in the first. Commands by any number of threads keep their order over a change,
// without a lock for each.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "device/opencl_api.h"
#include "vyre/base/error.h"

namespace vyre::device {

// Makes the second command queue, when it is needed first.
using OtherQueue = std::function<Result<QueueHandle>()>;

class CommandQueues {
 public:
  explicit CommandQueues(QueueHandle first) : first_(std::move(first)), active_(first_.get()) {}

  // `enqueue(queue, event)` enqueues one command.
  template <class Enqueue>
  [[nodiscard]] cl_int enqueue(const Enqueue& enqueue, cl_event* event) {
    const cl_command_queue queue = active();
    cl_int code = enqueue(queue, event);
    if (code == CL_SUCCESS && active_.load() != queue) code = put_before_the_rest(queue, *event);
    return code;
  }
  [[nodiscard]] cl_command_queue active() {
    if (const cl_command_queue queue = active_.load(); queue != nullptr) return queue;
    const std::lock_guard guard(changing_);
    return active_.load();
  }
  [[nodiscard]] bool is_first(cl_command_queue queue) const { return queue == first_.get(); }
  [[nodiscard]] Result<void> switch_to(bool second, const OtherQueue& make_second);

 private:
  // Lets what follows in `later` wait for an event of `earlier`.
  [[nodiscard]] static cl_int wait_in(cl_command_queue later, cl_command_queue earlier,
                                      cl_event event);
  // For a command that met a change: it is in a queue that is not in use any more.
  [[nodiscard]] cl_int put_before_the_rest(cl_command_queue queue, cl_event event);

  const QueueHandle first_;
  std::mutex changing_;
  QueueHandle second_;                    // none while nobody needed it
  std::atomic<cl_command_queue> active_;  // null during a change
};

}  // namespace vyre::device
