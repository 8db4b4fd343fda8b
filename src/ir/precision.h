// A program in another precision: the same with every float of one type as one of the other.
//
// In f64 it says what an f32 program would compute if it did not round; in f32 it shows how much
// rounding matters to an f64 program.
#pragma once

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::ir {

// Buffers, those of f16 with f32, uniforms, literals and conversions change with the rest. Refuses
// a program that looks at the bits of such a float. Requires: a valid program; from and to are f32
// and f64.
[[nodiscard]] Result<Program> in_precision(const Program& program, Scalar from, Scalar to);

// Values for its uniforms.
[[nodiscard]] Uniforms in_precision(const Uniforms& uniforms, Scalar from, Scalar to);

}  // namespace vyre::ir
