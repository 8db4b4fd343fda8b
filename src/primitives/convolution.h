// The program of `convolution` and its f64 reference.
#pragma once

#include <span>

#include "vyre/primitives/everyday.h"

namespace vyre::primitives {

// Buffers: image, filter, out.
[[nodiscard]] Result<ir::Program> convolution_program(const ConvolutionOptions& options);

void convolution_reference(std::span<const double> image, std::span<const double> filter,
                           const ConvolutionOptions& options, std::span<double> out);

}  // namespace vyre::primitives
