#include <algorithm>

#include "vyre/primitives/sheaf_diffusion.h"

namespace vyre::primitives {
namespace {

std::vector<std::size_t> node_starts(const Sheaf& sheaf) {
  std::vector<std::size_t> starts = {0};
  for (const std::uint32_t stalk : sheaf.stalks) starts.push_back(starts.back() + stalk);
  return starts;
}

}  // namespace

void sheaf_coboundary_reference(const Sheaf& sheaf, std::span<const double> x,
                                std::span<double> dx) {
  const auto starts = node_starts(sheaf);
  std::size_t at = 0;
  for (const SheafEdge& edge : sheaf.edges) {
    const std::size_t n_u = sheaf.stalks[edge.u];
    const std::size_t n_v = sheaf.stalks[edge.v];
    for (std::size_t i = 0; i < edge.size; ++i, ++at) {
      dx[at] = 0;
      for (std::size_t j = 0; j < n_u; ++j)
        dx[at] += edge.map_u[i * n_u + j] * x[starts[edge.u] + j];
      for (std::size_t j = 0; j < n_v; ++j)
        dx[at] -= edge.map_v[i * n_v + j] * x[starts[edge.v] + j];
    }
  }
}

void sheaf_laplacian_reference(const Sheaf& sheaf, std::span<const double> x,
                               std::span<double> lx) {
  const auto starts = node_starts(sheaf);
  std::vector<double> dx(edge_space(sheaf));
  sheaf_coboundary_reference(sheaf, x, dx);
  std::ranges::fill(lx, 0);
  std::size_t at = 0;
  for (const SheafEdge& edge : sheaf.edges) {
    const std::size_t n_u = sheaf.stalks[edge.u];
    const std::size_t n_v = sheaf.stalks[edge.v];
    for (std::size_t i = 0; i < edge.size; ++i, ++at) {
      for (std::size_t j = 0; j < n_u; ++j)
        lx[starts[edge.u] + j] += edge.map_u[i * n_u + j] * dx[at];
      for (std::size_t j = 0; j < n_v; ++j)
        lx[starts[edge.v] + j] -= edge.map_v[i * n_v + j] * dx[at];
    }
  }
}

}  // namespace vyre::primitives
