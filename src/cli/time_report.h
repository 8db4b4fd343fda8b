// What `vyre time` prints.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "cli/print.h"
#include "cli/program_file.h"
#include "trial/time.h"

namespace vyre::cli {

// Files that were not timed, by their place in the call, and why not.
using RefusedFiles = std::map<std::size_t, Reported>;

// A table or JSON to standard output with a row for each file, what failed when it was timed to
// standard error. Without a report nothing was timed. Returns check_failed if a program failed, or
// the worst status of those that were refused.
ExitStatus print_report(const std::optional<trial::Report>& report,
                        std::span<const std::string> files, const RefusedFiles& refused, bool json);

}  // namespace vyre::cli
