// How a program uses its buffers: whether it writes them, and whether each invocation keeps to an
// element of its own.
//
// The own place of invocation (x, y) is x on a grid of one dimension and y * W + x on a grid of two
// that is W wide: a different element for each invocation, and the same in every program that has
// this grid.
#pragma once

#include <map>
#include <string>

#include "vyre/ir/program.h"

namespace vyre::ir {

struct BufferUse {
  bool writes = false;
  bool own_place = true;  // every access; an index is looked at through lets, not through vars
};

// By buffer; those that the body does not access are not in it.
[[nodiscard]] std::map<std::string, BufferUse> buffer_uses(const Program& program);

}  // namespace vyre::ir
