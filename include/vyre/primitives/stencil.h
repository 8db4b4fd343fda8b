// A star-shaped stencil on a field of one, two or three dimensions, f32, x fastest:
//
//   v = w0 u + sum over d = 1 .. radius of wd * (the neighbours of u at distance d along each axis)
//
// Axes of extent 1 have no neighbours. Cells within `radius` of an edge keep their value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/primitives/operation.h"

namespace vyre::primitives {

struct StencilOptions {
  Extent extent = {0, 1, 1};  // cells along x, y and z
  // w0, w1, ...: the radius is one less than their number
  std::vector<float> weights = {0.5F, 0.1F};
  Extent workgroup = {64, 1, 1};
};

// Buffers: u, v. The weights are uniforms w0, w1, ...
[[nodiscard]] Result<ir::Program> stencil_program(const StencilOptions& options);

void stencil_reference(std::span<const double> u, const StencilOptions& options,
                       std::span<double> v);

// Input: u. Output: v.
[[nodiscard]] Result<Operation> stencil(device::Device& device, const StencilOptions& options);

}  // namespace vyre::primitives
