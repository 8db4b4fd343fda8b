// A worker's life: answers requests on its channel until the other end is gone.
#pragma once

#include "worker/channel.h"

namespace vyre::worker {

inline constexpr std::uint64_t max_content_bytes = std::uint64_t{1} << 32U;
// No message is longer than the largest content and what stands around it.
inline constexpr std::uint64_t max_message_bytes = max_content_bytes + 65536;

void serve(Channel& channel);

}  // namespace vyre::worker
