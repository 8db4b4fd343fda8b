// Expressions that share parts can be small in memory and endless as text: the tree doubles with
// each `sum = sum + sum`. All that walks trees relies on this limit.
#pragma once

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

inline constexpr std::uint32_t max_tree_size = 100'000;  // of one expression

// A problem for each statement with an expression above the limit, at the statement's place. Takes
// time in proportion to what is in memory.
[[nodiscard]] Problems too_large(const Program& program);

}  // namespace vyre::ir
