// Diffusion on a sheaf, in f32: what neighbours can agree on is smoothed, what is left on an edge
// says how badly its ends fit.
//
//   x' = x - a L x
//
// The heat equation of the sheaf Laplacian; for a <= 1 / lambda_max its limit is the projection of
// x on the kernel of L. J. Hansen and R. Ghrist, "Opinion dynamics on discourse sheaves", SIAM
// Journal on Applied Mathematics 81(5), 2021.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/primitives/pipeline.h"
#include "vyre/primitives/sheaf.h"

namespace vyre::primitives {

// coboundary, laplacian, diffuse, disagreement, in this order. The coboundary runs before each of
// the others. Buffers: x (nodes), dx (edges), lx (nodes); d_start, d_column, d_value and t_start,
// t_column, t_value (d and its transpose in compressed rows); moving (1, u32: numbers that changed
// by more than the tolerance); edge_start, disagreement, flags (one per edge). Uniforms: rate
// (a), tolerance; threshold.
[[nodiscard]] Result<std::vector<ir::Program>> sheaf_diffusion_programs(const Sheaf& sheaf);

void sheaf_coboundary_reference(const Sheaf& sheaf, std::span<const double> x,
                                std::span<double> dx);
void sheaf_laplacian_reference(const Sheaf& sheaf, std::span<const double> x, std::span<double> lx);

struct DiffusionOptions {
  float step = 0;           // a; 0 takes 1 / lambda_max
  float tolerance = 1e-6F;  // on the largest change of a step
  std::uint32_t max_iters = 1000;
};

struct Diffusion {
  std::uint32_t iterations = 0;  // steps run
  bool converged = false;        // the last step changed nothing by more than the tolerance
  float step = 0;                // the a that was used
};

// Move-only; must not outlive its device. After the first call of each kind it allocates nothing.
// Refuses vectors of another length and numbers that are not finite.
class SheafDiffusion {
 public:
  [[nodiscard]] static Result<SheafDiffusion> make(device::Device& device, const Sheaf& sheaf);

  [[nodiscard]] Result<void> coboundary(std::span<const float> x, std::span<float> dx);
  [[nodiscard]] Result<void> laplacian(std::span<const float> x, std::span<float> lx);
  // Not below lambda_max in practice, and little above: by power iteration from a start that is
  // always the same, plus what that leaves open; never over |d|_1 |d|_inf.
  [[nodiscard]] Result<double> largest_eigenvalue();
  // Steps until none moves. `out` may be `x`. A step so large that numbers leave f32 is an error.
  [[nodiscard]] Result<Diffusion> diffuse(std::span<const float> x, std::span<float> out,
                                          const DiffusionOptions& options = {});
  // |F_u x_u - F_v x_v| of each edge; 1 where it is over the threshold, else 0.
  [[nodiscard]] Result<void> disagreement(std::span<const float> x, std::span<float> out);
  [[nodiscard]] Result<void> flags(std::span<const float> x, float threshold,
                                   std::span<std::uint32_t> out);

 private:
  SheafDiffusion(Pipeline pipeline, std::uint32_t nodes, std::uint32_t rows, std::uint32_t edges,
                 double bound);
  [[nodiscard]] Result<void> load(std::span<const float> x);
  [[nodiscard]] Result<void> apply_laplacian();
  [[nodiscard]] Result<void> disagree(std::span<const float> x, float threshold);
  [[nodiscard]] Result<float> safe_step();
  [[nodiscard]] Result<Diffusion> iterate(const DiffusionOptions& options, float step);

  Pipeline pipeline_;
  std::uint32_t rows_ = 0;   // length of a vector of the edges
  std::uint32_t edges_ = 0;  // 0 if there are none
  double bound_ = 0;         // on lambda_max
  double lambda_ = -1;       // the estimate once it is made
  std::vector<float> vector_;
  std::vector<float> image_;
};

}  // namespace vyre::primitives
