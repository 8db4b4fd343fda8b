// A cellular sheaf on a graph: a vector space on every node (its stalk) and on every edge, and two
// linear maps per edge that carry what its ends hold into the edge's space.
//
//   (d x)_e = F_u x_u - F_v x_v,   L = d^T d
//
// d is the coboundary, L the sheaf Laplacian: J. Hansen and R. Ghrist, "Toward a spectral theory of
// cellular sheaves", Journal of Applied and Computational Topology 3, 2019.
//
// SheafDiffusion runs the heat equation of L in f32; SheafDiagonal that of a diagonal L in Q16.16.
// Both are move-only, must not outlive their device, and allocate nothing after the first call of
// each kind.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/primitives/pipeline.h"

namespace vyre::primitives {

// From u to v; u may be v. The maps are row major: size x stalk of u, size x stalk of v.
struct SheafEdge {
  std::uint32_t u = 0;
  std::uint32_t v = 0;
  std::uint32_t size = 0;  // of the edge's space
  std::vector<float> map_u;
  std::vector<float> map_v;
};

// A vector of the nodes holds the stalks one after the other; one of the edges, their spaces.
struct Sheaf {
  std::vector<std::uint32_t> stalks;  // size of each node's
  std::vector<SheafEdge> edges;
};

// Refuses a sheaf without nodes, a space of size 0, an edge to a node that is not there, a map of
// another size or with a number that is not finite, and more than u32 elements, by edge and
// numbers.
[[nodiscard]] Result<void> check_sheaf(const Sheaf& sheaf);

// Lengths of the vectors of the nodes and of the edges. Requires: a sheaf that check_sheaf takes.
[[nodiscard]] std::uint32_t node_space(const Sheaf& sheaf);
[[nodiscard]] std::uint32_t edge_space(const Sheaf& sheaf);

// Every space of this size and every map the identity: its Laplacian is that of the graph, once for
// every component.
[[nodiscard]] Sheaf constant_sheaf(std::uint32_t nodes,
                                   std::span<const std::pair<std::uint32_t, std::uint32_t>> edges,
                                   std::uint32_t size = 1);

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

// Diffusion on a sheaf: what neighbours can agree on is smoothed, what is left on an edge says how
// badly its ends fit.
//
//   x' = x - a L x
//
// For a <= 1 / lambda_max its limit is the projection of x on the kernel of L. J. Hansen and
// R. Ghrist, "Opinion dynamics on discourse sheaves", SIAM Journal on Applied Mathematics 81(5),
// 2021. Refuses vectors of another length and numbers that are not finite.
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

struct EquilibriumOptions {
  std::uint32_t tolerance = 0;  // on the largest change of a step, Q16.16
  std::uint32_t max_iters = 100;
};

struct Equilibrium {
  std::uint32_t iterations = 0;  // steps run
  bool converged = false;        // the last step changed no cell by more than the tolerance
};

// Sheaf diffusion where every cell has one number and one restriction.
//
//   s' = s - ((((damping * r) >> 16) * s) >> 16)
//
// The explicit Euler step of the heat equation of a diagonal sheaf Laplacian. It saturates, and
// every device gives the same bits. `out` may be `stalks`.
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
