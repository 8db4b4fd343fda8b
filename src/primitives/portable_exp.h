// exp(-x) with the same bits on every device: only operations that round correctly.
//
//   x = k ln 2 + r, |r| <= ln(2) / 2:   exp(-x) = 2^-k exp(-r)
//
// W. J. Cody and W. Waite, "Software Manual for the Elementary Functions", Prentice-Hall 1980.
// Taylor's polynomial of degree 7 is within 1e-8 of exp(-r) there.
#pragma once

#include <string>

#include "vyre/ir/build.h"

namespace vyre::primitives {

// For an f32 x >= 0; 0 where x > 80. Adds lets whose names start with `name`.
[[nodiscard]] ir::Value portable_exp_minus(ir::Builder& k, const std::string& name,
                                           const ir::Value& x);

}  // namespace vyre::primitives
