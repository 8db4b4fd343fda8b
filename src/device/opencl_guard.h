// The zones around a guarded buffer: a pattern that a write just out of bounds destroys.
#pragma once

#include <optional>

#include "device/opencl_buffer.h"
#include "vyre/device/device.h"

namespace vyre::device {

// Writes the pattern. Requires: the buffer is guarded; so for check_guards.
[[nodiscard]] Result<void> lay_guards(cl_command_queue queue, const OpenclBuffer& buffer);

// The destroyed byte nearest to the buffer, if there is one.
[[nodiscard]] Result<std::optional<Touched>> find_touched(cl_command_queue queue,
                                                          const OpenclBuffer& buffer);

}  // namespace vyre::device
