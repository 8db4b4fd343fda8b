// Where the program vyre-worker is.
#pragma once

#include <string>

#include "vyre/base/error.h"

namespace vyre::worker {

// `given` if it is not empty; else beside the running program, in ../libexec/vyre from there, or
// where this library was to be installed.
[[nodiscard]] Result<std::string> find_program(const std::string& given);

}  // namespace vyre::worker
