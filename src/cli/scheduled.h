// A program with the schedule that somebody asked for.
#pragma once

#include <string>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::cli {

// "wg_x=8 vector=16"; what the text leaves out is as in the program. Refuses what is no schedule,
// and what is not legal for this program, with the step and why; the message quotes the option.
[[nodiscard]] Result<ir::Program> scheduled(const ir::Program& program, const std::string& text);

}  // namespace vyre::cli
