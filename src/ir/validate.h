// The rules a program must keep before anything else looks at it: names, types, access, limits.
//
// parse, build and compose return validated programs only; later layers assert and do not ask
// again.
#pragma once

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

// All problems, in the order of the text; empty for a valid program. Each says what to do.
[[nodiscard]] Problems validate(const Program& program);

// The same for the parser: passes over the parts that it could not read and has reported.
[[nodiscard]] Problems validate_parsed(const Program& program);

}  // namespace vyre::ir
