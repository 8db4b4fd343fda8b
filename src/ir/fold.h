// Integer arithmetic on expressions that does what can be done already: literals are folded, zeros
// and ones vanish, a literal moves to the right end of a sum.
//
//   (e + a) + b  =  e + (a + b)      modulo 2^32, for literals a and b
//
// All of it is exact: u32 and i32 wrap, so sums and products may be regrouped at will.
#pragma once

#include <cstdint>
#include <optional>

#include "vyre/ir/expr.h"

namespace vyre::ir {

// The value of a u32 or i32 literal, or nothing.
[[nodiscard]] std::optional<std::uint32_t> literal_bits(const Expr& expr);
[[nodiscard]] bool is_literal(const Expr& expr, std::uint32_t value);
// A literal of this integer type.
[[nodiscard]] Expr integer(std::uint32_t bits, Scalar scalar);
// The literal 0, or 0.0, or false.
[[nodiscard]] Expr zero(Scalar scalar);

// Requires: both are scalars of one integer type.
[[nodiscard]] Expr plus(const Expr& a, const Expr& b);
[[nodiscard]] Expr minus(const Expr& a, const Expr& b);
[[nodiscard]] Expr times(const Expr& a, const Expr& b);
// u32; a divisor that is not zero.
[[nodiscard]] Expr quotient(const Expr& a, std::uint32_t by);
[[nodiscard]] Expr remainder(const Expr& a, std::uint32_t by);
// a / by rounded up, as a size: u32.
[[nodiscard]] Expr ceil_div(const Expr& a, std::uint32_t by);
[[nodiscard]] Expr minimum(const Expr& a, const Expr& b);
[[nodiscard]] Expr maximum(const Expr& a, const Expr& b);

// Both hold; bools.
[[nodiscard]] Expr both(const Expr& a, const Expr& b);
[[nodiscard]] Expr compared(BinaryOp op, const Expr& a, const Expr& b);
// It does not hold; one bool. Comparisons of integers and what is made of them by and, or, not turn
// into their opposites.
[[nodiscard]] Expr negation(const Expr& cond);

}  // namespace vyre::ir
