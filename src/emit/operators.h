// The operators that the C-like languages share.
#pragma once

#include <string_view>

#include "emit/code.h"
#include "vyre/ir/expr.h"

namespace vyre::emit {

// "l + r". Operators whose precedence people look up get parentheses that C would not need.
[[nodiscard]] Code infix(ir::BinaryOp op, const Code& left, const Code& right);

// "-x", "!x", "~x".
[[nodiscard]] Code prefix(char op, const Code& operand);

// u32, i32, bool and finite floats, exactly.
[[nodiscard]] Code number(Literal value);

}  // namespace vyre::emit
