// What an event tells of its command: how far it is, how it ended, how long it took.
//
// Only a wait for an event promises to report that its command failed; clFinish does not.
#pragma once

#include <cstdint>
#include <optional>

#include "device/opencl_api.h"
#include "vyre/base/expected.h"
#include "vyre/device/queue.h"

namespace vyre::device {

// Waits for the command's end and returns the code it ended with.
[[nodiscard]] cl_int wait_for(cl_event event);

// How far the command is, without a wait.
[[nodiscard]] Event::State command_state(cl_event event);

// Returns when the command runs or has ended. A driver may compile for a workgroup size at its
// first launch; the command is not running then. Requires: its queue was flushed.
void wait_until_running(cl_event event);

// Nanoseconds from the start of `first` to the end of `last` by the device's clock, or the code of
// the one that failed. Nothing where that clock stands still.
// Requires: both have ended.
[[nodiscard]] Expected<std::optional<std::uint64_t>, cl_int> duration(cl_event first,
                                                                      cl_event last);

}  // namespace vyre::device
