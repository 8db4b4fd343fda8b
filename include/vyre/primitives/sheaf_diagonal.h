// Sheaf diffusion where every cell has one number and one restriction, in Q16.16.
//
//   s' = s - ((((damping * r) >> 16) * s) >> 16)
//
// It saturates, and every device gives the same bits. The explicit Euler step of the heat equation
// of a diagonal sheaf Laplacian: J. Hansen and R. Ghrist, "Toward a spectral theory of cellular
// sheaves", Journal of Applied and Computational Topology 3, 2019. Sheaves with edges:
// sheaf_diffusion.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/primitives/pipeline.h"

namespace vyre::primitives {

// One step. Buffers: stalks (cells, changed in place), restriction (cells), moving (1, u32: counts
// the cells that changed by more than the tolerance). Uniforms: damping, tolerance (u32).
[[nodiscard]] Result<ir::Program> sheaf_diagonal_program(std::uint32_t cells);
// Buffers: before, after, flags (cells; flags as u32). Uniform: threshold (u32).
[[nodiscard]] Result<ir::Program> sheaf_flags_program(std::uint32_t cells);

// One step in f64, and in the bits that a device computes.
void sheaf_diagonal_reference(std::span<const double> stalks, std::span<const double> restriction,
                              double damping, std::span<double> out);
void sheaf_diagonal_reference(std::span<const std::int32_t> stalks,
                              std::span<const std::int32_t> restriction, std::int32_t damping,
                              std::span<std::int32_t> out);

struct EquilibriumOptions {
  std::uint32_t tolerance = 0;  // on the largest change of a step, Q16.16
  std::uint32_t max_iters = 100;
};

struct Equilibrium {
  std::uint32_t iterations = 0;  // steps run
  bool converged = false;        // the last step changed no cell by more than the tolerance
};

// Move-only; must not outlive its device. After it is made it allocates nothing. `out` may be
// `stalks`.
class SheafDiagonal {
 public:
  [[nodiscard]] static Result<SheafDiagonal> make(device::Device& device, std::uint32_t cells);

  // One step.
  [[nodiscard]] Result<void> operator()(std::span<const std::int32_t> stalks,
                                        std::span<const std::int32_t> restriction,
                                        std::int32_t damping, std::span<std::int32_t> out);
  // Steps until none moves.
  [[nodiscard]] Result<Equilibrium> equilibrium(std::span<const std::int32_t> stalks,
                                                std::span<const std::int32_t> restriction,
                                                std::int32_t damping, std::span<std::int32_t> out,
                                                const EquilibriumOptions& options = {});
  // 1 where |before - after| > threshold, else 0.
  [[nodiscard]] Result<void> flags(std::span<const std::int32_t> before,
                                   std::span<const std::int32_t> after, std::uint32_t threshold,
                                   std::span<std::uint32_t> out);

 private:
  explicit SheafDiagonal(Pipeline pipeline) : pipeline_(std::move(pipeline)) {}

  Pipeline pipeline_;
};

}  // namespace vyre::primitives
