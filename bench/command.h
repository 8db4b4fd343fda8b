// Other programs, called by the shell.
#pragma once

#include <string>

#include "vyre/base/error.h"

namespace vyre::bench {

// What a command prints; whether it succeeded is not looked at.
[[nodiscard]] Result<std::string> output_of(const std::string& command);

}  // namespace vyre::bench
