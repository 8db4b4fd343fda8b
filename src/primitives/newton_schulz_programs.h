// The programs of the Newton-Schulz iteration, and an f64 reference of what it computes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/program.h"
#include "vyre/primitives/natural_gradient.h"

namespace vyre::primitives {

inline constexpr std::string_view newton_schulz_name = "newton_schulz_inverse_sqrt";

// The names of the programs' buffers.
struct NewtonSchulzNames {
  std::string m = "m";
  std::string root = "root";
  std::string residual = "residual";
  std::string y = "y";
  std::string z = "z";
  std::string t = "t";
  std::string y_next = "y_next";
  std::string z_next = "z_next";
};

// Start, then residual and update from Y, Z to their copies, then residual and update back.
// Buffers: m (n * n, f32), root (n * n, f32), residual (n, f32: a row's part of |I - Z Y|^2),
// y, z, t, y_next, z_next (n * n). Uniforms: down = 1 / s, root_down = 1 / sqrt(s).
[[nodiscard]] Result<std::vector<ir::Program>> newton_schulz_programs(
    const NewtonSchulzOptions& options, const NewtonSchulzNames& names = {});

// By Jacobi's eigenvalue rotations.
void inverse_sqrt_reference(std::span<const double> m, std::uint32_t n, std::span<double> root);

}  // namespace vyre::primitives
