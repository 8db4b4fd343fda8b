// The queue of the reference device, where every command is over when it returns.
#pragma once

#include <memory>

#include "vyre/device/queue.h"

namespace vyre::device {

[[nodiscard]] std::unique_ptr<Queue> make_reference_queue(Device& owner, bool timed);

}  // namespace vyre::device
