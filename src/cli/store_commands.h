// `vyre store`: what is in the decision store, and keeping it in order.
#pragma once

#include <vector>

#include "cli/command.h"

namespace vyre::cli {

// Those below `vyre store`.
[[nodiscard]] std::vector<Command> store_commands();

}  // namespace vyre::cli
