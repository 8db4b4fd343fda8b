// Parts of buffers as commands are given them.
#pragma once

#include "vyre/device/queue.h"

namespace vyre::device {

// Refuses a part that leaves its buffer, with the numbers.
[[nodiscard]] Result<void> check_part(const Part& part);

// What an event of a queue without times says when it is asked for its own.
[[nodiscard]] Failure not_timed();

}  // namespace vyre::device
