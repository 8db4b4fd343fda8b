// Functions of the OpenCL dialect: built-in ones, and helpers where drivers compute something else
// than the nodes of vyre/ir/expr.h say.
#pragma once

#include <string>

#include "emit/dialect.h"

namespace vyre::emit {

// The name to call: a built-in function, or a helper.
[[nodiscard]] std::string opencl_function(Function function, ir::Type type, Helpers& helpers);

// The name of the helper that converts floats to integers.
[[nodiscard]] std::string opencl_truncation(ir::Type from, Scalar to, Helpers& helpers);

// The name of the helper that combines the lanes of a vector.
[[nodiscard]] std::string opencl_reduction(ir::BinaryOp op, ir::Type from, Helpers& helpers);

}  // namespace vyre::emit
