// The program that applies a preconditioner to a gradient, and its references.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vyre/ir/program.h"
#include "vyre/primitives/natural_gradient.h"

namespace vyre::primitives {

inline constexpr std::string_view natural_gradient_name = "natural_gradient_apply";

// The names of the program's buffers.
struct NaturalGradientNames {
  std::string w = "w";
  std::string g = "g";
  std::string out = "out";
};

// Buffers: w (n * n), g (n), out (n) = factor * (w g). Uniform: factor, 1 unless set.
[[nodiscard]] Result<ir::Program> natural_gradient_program(const NaturalGradientOptions& options,
                                                           const NaturalGradientNames& names = {});

// g_nat. The second computes the bits that a device does.
void natural_gradient_reference(std::span<const double> w, std::span<const double> g,
                                std::span<double> out);
void natural_gradient_reference(std::span<const std::int32_t> w, std::span<const std::int32_t> g,
                                std::span<std::int32_t> out);

}  // namespace vyre::primitives
