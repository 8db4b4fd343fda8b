// Gives names to the values of a built program that would be others where they are used.
#pragma once

#include "ir/history.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

// Adds a `let` where each such value was made, and uses its name. What cannot be had, because the
// block that a value was made in has ended, is a problem; its place is the statement's in History.
// Nothing else changes. Requires: the history of the program's builder, with all blocks closed.
[[nodiscard]] Problems capture(Program& program, const History& history);

}  // namespace vyre::ir
