// The program of `elementwise` and its f64 reference.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vyre/primitives/everyday.h"

namespace vyre::primitives {

// Buffers: the inputs and y, n elements each.
[[nodiscard]] Result<ir::Program> elementwise_program(const ElementwiseOptions& options);

// `function` of the inputs' elements, one after the other.
void elementwise_reference(std::span<const std::vector<double>> inputs,
                           const std::function<double(std::span<const double>)>& function,
                           std::span<double> y);

}  // namespace vyre::primitives
