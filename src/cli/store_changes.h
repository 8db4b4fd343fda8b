// `vyre store merge`, `export` and `prune`: what changes a store, or takes it to another machine.
#pragma once

#include "cli/command.h"

namespace vyre::cli {

[[nodiscard]] Command store_merge_command();
[[nodiscard]] Command store_export_command();
[[nodiscard]] Command store_prune_command();

}  // namespace vyre::cli
