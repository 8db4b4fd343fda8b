// The operators that the C-like languages share.
#pragma once

#include <string_view>

#include "emit/code.h"
#include "vyre/ir/expr.h"

namespace vyre::emit {

[[nodiscard]] constexpr bool is_signed(Scalar s) { return s == Scalar::i32 || s == Scalar::i64; }
// The unsigned integer that has an integer's bits.
[[nodiscard]] constexpr Scalar bits_of(Scalar s) { return is_long(s) ? Scalar::u64 : Scalar::u32; }

// "l + r". Operators whose precedence people look up get parentheses that C would not need.
[[nodiscard]] Code infix(ir::BinaryOp op, const Code& left, const Code& right);

// "-x", "!x", "~x".
[[nodiscard]] Code prefix(char op, const Code& operand);

// Integers, bool and finite floats, exactly. A long one ends in the suffix.
[[nodiscard]] Code number(Literal value, std::string_view long_suffix = "l");

}  // namespace vyre::emit
