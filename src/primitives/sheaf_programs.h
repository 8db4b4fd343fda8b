// The programs of diffusion on sheaves. sheaf_reference.h has what they compute.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vyre/ir/program.h"
#include "vyre/primitives/sheaf.h"

namespace vyre::primitives {

// Refuses a step or a tolerance that is below 0 or no number.
[[nodiscard]] Result<void> check_diffusion(const DiffusionOptions& options);

// The names of the buffers of the programs of diffusion.
struct SheafNames {
  std::string x = "x";
  std::string dx = "dx";
  std::string lx = "lx";
  std::string d = "d";  // d_start, d_column and d_value begin with it
  std::string t = "t";  // and t_start, t_column and t_value with this
  std::string moving = "moving";
  std::string edge_start = "edge_start";
  std::string disagreement = "disagreement";
  std::string flags = "flags";
};

// coboundary, laplacian, diffuse, disagreement, in this order. The coboundary runs before each of
// the others. Buffers: x (nodes), dx (edges), lx (nodes); d_start, d_column, d_value and t_start,
// t_column, t_value (d and its transpose in compressed rows); moving (1, u32: numbers that changed
// by more than the tolerance); edge_start, disagreement, flags (one per edge). Uniforms: rate
// (a), tolerance; threshold.
[[nodiscard]] Result<std::vector<ir::Program>> sheaf_diffusion_programs(
    const Sheaf& sheaf, const SheafNames& names = {});

struct SheafDiagonalNames {
  std::string stalks = "stalks";
  std::string restriction = "restriction";
  std::string moving = "moving";
};
struct SheafFlagsNames {
  std::string before = "before";
  std::string after = "after";
  std::string flags = "flags";
};

// One step of the diagonal diffusion. Buffers: stalks (cells, changed in place), restriction
// (cells), moving (1, u32: counts the cells that changed by more than the tolerance). Uniforms:
// damping, tolerance (u32).
[[nodiscard]] Result<ir::Program> sheaf_diagonal_program(std::uint32_t cells,
                                                         const SheafDiagonalNames& names = {});
// Buffers: before, after, flags (cells; flags as u32). Uniform: threshold (u32).
[[nodiscard]] Result<ir::Program> sheaf_flags_program(std::uint32_t cells,
                                                      const SheafFlagsNames& names = {});

}  // namespace vyre::primitives
