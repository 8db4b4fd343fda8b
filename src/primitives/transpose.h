// The program of `transpose` and its f64 reference.
#pragma once

#include <cstdint>
#include <span>

#include "vyre/primitives/everyday.h"

namespace vyre::primitives {

// Buffers: a (rows * columns), t (columns * rows).
[[nodiscard]] Result<ir::Program> transpose_program(const TransposeOptions& options);

void transpose_reference(std::span<const double> a, std::uint32_t rows, std::uint32_t columns,
                         std::span<double> t);

}  // namespace vyre::primitives
