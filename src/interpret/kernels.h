// The loops that apply the semantics of a lane to whole registers, found by operation and type.
//
// They run over the span of the active invocations without looking at the mask: every operation is
// total, and the compiler can turn such a loop into vector instructions. Only `assign` looks.
#pragma once

#include "interpret/tape.h"
#include "vyre/ir/expr.h"

namespace vyre::interpret::kernels {

// Each requires operands that validation accepts.
[[nodiscard]] Kernel unary(ir::UnaryOp op, Scalar scalar);     // to = op a
[[nodiscard]] Kernel binary(ir::BinaryOp op, Scalar operand);  // to = a op b
[[nodiscard]] Kernel fma(Scalar scalar);                       // to = a * b + c
[[nodiscard]] Kernel select(Scalar scalar);                    // to = a ? b : c
[[nodiscard]] Kernel convert(Scalar to, Scalar from);          // to = value of a
[[nodiscard]] Kernel bitcast(Scalar to, Scalar from);          // to = bits of a
[[nodiscard]] Kernel copy(Scalar scalar);                      // to = a
[[nodiscard]] Kernel splat(Scalar scalar);                     // to = a in every lane
[[nodiscard]] Kernel assign(Scalar scalar);                    // to = a where active

}  // namespace vyre::interpret::kernels
