// A worker's life: answers requests on its channel until the other end is gone.
#pragma once

#include "worker/channel.h"

namespace vyre::worker {

// No message is longer than this: the largest content there can be, and what stands around it.
inline constexpr std::uint64_t max_message_bytes = (std::uint64_t{1} << 32U) + 65536;

void serve(Channel& channel);

}  // namespace vyre::worker
