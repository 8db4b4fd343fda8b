// The transpose of a row-major matrix of f32: t[c][r] = a[r][c].
#pragma once

#include <cstdint>
#include <span>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/primitives/operation.h"

namespace vyre::primitives {

struct TransposeOptions {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  // The side of the square that one workgroup moves through shared memory, so that reading and
  // writing both go along rows; 0 moves each element straight.
  std::uint32_t tile = 0;
};

// Buffers: a (rows * columns), t (columns * rows).
[[nodiscard]] Result<ir::Program> transpose_program(const TransposeOptions& options);

void transpose_reference(std::span<const double> a, std::uint32_t rows, std::uint32_t columns,
                         std::span<double> t);

// Input: a. Output: t.
[[nodiscard]] Result<Operation> transpose(device::Device& device, const TransposeOptions& options);

}  // namespace vyre::primitives
