// Whether a type can hold a C++ number, and what to say where it cannot.
#pragma once

#include <string>

#include "vyre/ir/value.h"

namespace vyre::ir {

// The type that a number has alone; for 64-bit integers the one of i32 and u32 that holds it.
[[nodiscard]] Scalar own_type(const Number& number);

// The number as a literal. `problem` is empty if the type holds it, up to rounding of a decimal;
// else the literal is some other of this type. `has_neighbour`: the type is that of an operand
// beside the number, which could be converted.
struct Fitted {
  Expr literal;
  std::string problem;
};
[[nodiscard]] Fitted fitted(const Number& number, Scalar to, bool has_neighbour);

}  // namespace vyre::ir
