// `vyre tune` as a user calls it, with a store of its own, so that nothing is remembered.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "vyre/base/error.h"

namespace vyre::bench {

// What the call prints with --json. `arguments` are words for the shell.
[[nodiscard]] Result<nlohmann::json> run_tune(const std::string& arguments);

}  // namespace vyre::bench
