// Integer arithmetic on expressions that does what can be done already: literals are folded, zeros
// and ones vanish, a literal moves to the right end of a sum.
//
// All of it is exact: u32 and i32 wrap, so sums and products may be regrouped at will.
#pragma once

#include <cstdint>
#include <optional>

#include "vyre/ir/expr.h"

namespace vyre::schedule {

// The value of a u32 or i32 literal, or nothing.
[[nodiscard]] std::optional<std::uint32_t> literal_bits(const ir::Expr& expr);
[[nodiscard]] bool is_literal(const ir::Expr& expr, std::uint32_t value);
// A literal of this integer type.
[[nodiscard]] ir::Expr integer(std::uint32_t bits, Scalar scalar);

// Requires: both are scalars of one integer type.
[[nodiscard]] ir::Expr plus(const ir::Expr& a, const ir::Expr& b);
[[nodiscard]] ir::Expr minus(const ir::Expr& a, const ir::Expr& b);
[[nodiscard]] ir::Expr times(const ir::Expr& a, const ir::Expr& b);
// u32; a divisor that is not zero.
[[nodiscard]] ir::Expr divided(const ir::Expr& a, std::uint32_t by);
// a / by rounded up, as a size: u32.
[[nodiscard]] ir::Expr divided_up(const ir::Expr& a, std::uint32_t by);
[[nodiscard]] ir::Expr smaller(const ir::Expr& a, const ir::Expr& b);

// Both hold; bools.
[[nodiscard]] ir::Expr both(const ir::Expr& a, const ir::Expr& b);
[[nodiscard]] ir::Expr compared(ir::BinaryOp op, const ir::Expr& a, const ir::Expr& b);

}  // namespace vyre::schedule
