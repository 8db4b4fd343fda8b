// Makes a failing program small: removes statements and replaces expressions as long as it still
// fails.
#pragma once

#include <functional>

#include "vyre/ir/program.h"

namespace vyre::testing {

// Requires: fails(program). Every program tried is valid. The result fails, and no single further
// edit of it does.
ir::Program shrunk(ir::Program program, const std::function<bool(const ir::Program&)>& fails);

}  // namespace vyre::testing
