// Programs from files, and problems with them as compilers print them.
#pragma once

#include <string>

#include "cli/print.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::cli {

// The program in a file, or on standard input for "-". With `reassociate` it says so, whether or
// not its text does.
[[nodiscard]] Result<ir::Program> read_program(const std::string& file, bool reassociate = false);

// Prints "FILE:LINE:COLUMN: message" for each problem and returns the status that goes with them.
ExitStatus report(const std::string& file, const Error& error);

// Of a program that a command goes on without: the status for the end, and the reason for scripts.
struct Reported {
  ExitStatus status = check_failed;
  std::string kind;    // "input", or the verdict that fits
  std::string reason;  // a line for each problem
};
// Prints them as report does.
[[nodiscard]] Reported report_failure(const std::string& file, const Error& error);

// Prints "vyre: message".
ExitStatus report(const Error& error);

}  // namespace vyre::cli
