// Validation for the parser: passes over the parts that the parser could not read and has reported.
#pragma once

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

[[nodiscard]] Problems validate_parsed(const Program& program);

}  // namespace vyre::ir
