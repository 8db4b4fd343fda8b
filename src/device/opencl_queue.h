// The queue of an OpenCL device: a command queue in order, and an event for each command.
#pragma once

#include <memory>

#include "device/command_queues.h"
#include "device/opencl_api.h"
#include "device/opencl_buffer.h"
#include "vyre/device/queue.h"

namespace vyre::device {

// `timed` makes a command queue whose events know times; none where the device has no clock.
[[nodiscard]] std::unique_ptr<Queue> make_opencl_queue(const Device& owner, QueueHandle queue,
                                                       const QueueOptions& options,
                                                       OtherQueue timed);

// The buffer of a part as one of this device's; refused if another device made it or if the part
// leaves it.
[[nodiscard]] Result<const OpenclBuffer*> part_of(const Device& owner, const Part& part);

}  // namespace vyre::device
