// Plain kernels as text: maps, stencils, reductions of rows and columns, matrix products, copies
// that transpose, gathers, histograms, sums by key; of each kind a few shapes.
#pragma once

#include <string>
#include <vector>

namespace vyre::learn {

[[nodiscard]] std::vector<std::string> templates();

}  // namespace vyre::learn
