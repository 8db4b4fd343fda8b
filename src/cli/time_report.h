// What `vyre time` prints.
#pragma once

#include "cli/print.h"
#include "trial/time.h"

namespace vyre::cli {

// A table or JSON to standard output, what failed to standard error. check_failed if a program did.
ExitStatus print_report(const trial::Report& report, bool json);

}  // namespace vyre::cli
