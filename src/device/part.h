// Parts of buffers as commands are given them.
#pragma once

#include "vyre/device/queue.h"

namespace vyre::device {

// Refuses a part that leaves its buffer, with the numbers.
[[nodiscard]] Result<void> check_part(const Part& part);

}  // namespace vyre::device
