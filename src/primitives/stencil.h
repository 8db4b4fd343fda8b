// The program of `stencil` and its f64 reference.
#pragma once

#include <span>

#include "vyre/primitives/everyday.h"

namespace vyre::primitives {

// Buffers: u, v. The weights are uniforms w0, w1, ...
[[nodiscard]] Result<ir::Program> stencil_program(const StencilOptions& options);

void stencil_reference(std::span<const double> u, const StencilOptions& options,
                       std::span<double> v);

}  // namespace vyre::primitives
