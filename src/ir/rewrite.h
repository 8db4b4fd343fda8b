// Rebuilds expressions and statements with some parts replaced: the base of passes that rename.
#pragma once

#include <functional>

#include "vyre/ir/program.h"

namespace vyre::ir {

// The same node with each direct operand replaced by `change(operand)`. Places are kept.
[[nodiscard]] Expr with_operands(const Expr& expr, const std::function<Expr(const Expr&)>& change);

// New names for what a program declares. Called once for each declaration, in the order of the
// text; uses follow the declaration they mean.
struct Renaming {
  std::function<std::string(const std::string&)> local;   // let, var, loop variables
  std::function<std::string(const std::string&)> buffer;  // buffers, by their present name
};
[[nodiscard]] Block renamed(const Block& block, const Renaming& renaming);

}  // namespace vyre::ir
