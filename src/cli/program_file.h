// Programs from files, and problems with them as compilers print them.
#pragma once

#include <expected>
#include <string>

#include "cli/print.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::cli {

// The program in a file, or on standard input for "-".
[[nodiscard]] std::expected<ir::Program, Problems> read_program(const std::string& file);

// Prints "FILE:LINE:COLUMN: message" for each problem and returns the status that goes with them.
ExitStatus report(const std::string& file, const Problems& problems);

// Prints "vyre: message".
ExitStatus report(const Error& error);

}  // namespace vyre::cli
