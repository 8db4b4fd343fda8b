#include "primitives/sheaf_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/fixed.h"
#include "primitives/checks.h"
#include "primitives/sheaf_programs.h"

namespace vyre::primitives {
namespace {

constexpr std::string_view of_sheaf = "sheaf_diffusion";
constexpr std::string_view of_diagonal = "sheaf_diffusion_diagonal";

std::vector<std::size_t> node_starts(const Sheaf& sheaf) {
  std::vector<std::size_t> starts = {0};
  for (const std::uint32_t stalk : sheaf.stalks) starts.push_back(starts.back() + stalk);
  return starts;
}

double euclidean_norm(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

// Whether no number changed by more than the tolerance; nan has.
bool at_rest(std::span<const double> before, std::span<const double> after, double tolerance) {
  return std::ranges::equal(before, after,
                            [&](double a, double b) { return std::abs(b - a) <= tolerance; });
}

Result<void> check_finite_values(std::string_view primitive, std::string_view argument,
                                 std::span<const double> values) {
  const auto bad = std::ranges::find_if(values, [](double v) { return !std::isfinite(v); });
  if (bad == values.end()) return {};
  return refuse(primitive, fmt::format("{}[{}] is {}; it must be finite", argument,
                                       bad - values.begin(), *bad));
}

Result<void> check_nodes(const Sheaf& sheaf, std::span<const double> x) {
  VYRE_CHECK(check_sheaf(sheaf));
  VYRE_CHECK(check_length(of_sheaf, "x", x.size(), node_space(sheaf)));
  return check_finite_values(of_sheaf, "x", x);
}

// lambda_max by power iteration from a start with a part of every eigenvector.
double largest_eigenvalue(const Sheaf& sheaf) {
  constexpr int iterations = 2000;
  std::vector<double> vector(node_space(sheaf));
  for (std::size_t i = 0; i < vector.size(); ++i) {
    vector[i] = std::sin(static_cast<double>(i) * 1.7 + 1);
  }
  std::vector<double> image(vector.size());
  double lambda = 0;
  for (int i = 0; i < iterations; ++i) {
    const double length = euclidean_norm(vector);
    if (length == 0) return 0;
    for (double& value : vector) value /= length;
    sheaf_laplacian_reference(sheaf, vector, image);
    lambda = euclidean_norm(image);
    vector.swap(image);
  }
  return lambda;
}

double step_of(const Sheaf& sheaf, const DiffusionOptions& options) {
  if (options.step > 0) return options.step;
  const double lambda = largest_eigenvalue(sheaf);
  return lambda > 0 ? 1 / lambda : 1;
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

Result<Diffusion> sheaf_diffuse_reference(const Sheaf& sheaf, std::span<const double> x,
                                          std::span<double> out, const DiffusionOptions& options) {
  VYRE_CHECK(check_nodes(sheaf, x));
  VYRE_CHECK(check_length(of_sheaf, "out", out.size(), x.size()));
  VYRE_CHECK(check_diffusion(options));
  const double step = step_of(sheaf, options);
  Diffusion reached{.step = static_cast<float>(step)};
  std::vector<double> now(x.begin(), x.end());
  std::vector<double> lx(x.size());
  std::vector<double> next(x.size());
  while (!reached.converged && reached.iterations < options.max_iters) {
    sheaf_laplacian_reference(sheaf, now, lx);
    for (std::size_t i = 0; i < now.size(); ++i) next[i] = now[i] - step * lx[i];
    reached.converged = at_rest(now, next, options.tolerance);
    now.swap(next);
    ++reached.iterations;
  }
  if (!std::ranges::all_of(now, [](double value) { return std::isfinite(value); })) {
    return refuse(of_sheaf, fmt::format("a step of {:.4g} leaves the range of f64 in {} iterations",
                                        step, reached.iterations));
  }
  std::ranges::copy(now, out.begin());
  return reached;
}

Result<void> sheaf_disagreement_reference(const Sheaf& sheaf, std::span<const double> x,
                                          std::span<double> out) {
  VYRE_CHECK(check_nodes(sheaf, x));
  VYRE_CHECK(check_length(of_sheaf, "out", out.size(), sheaf.edges.size()));
  std::vector<double> dx(edge_space(sheaf));
  sheaf_coboundary_reference(sheaf, x, dx);
  std::size_t at = 0;
  for (std::size_t e = 0; e < out.size(); ++e) {
    out[e] = euclidean_norm(std::span(dx).subspan(at, sheaf.edges[e].size));
    at += sheaf.edges[e].size;
  }
  return {};
}

Result<void> sheaf_flags_reference(const Sheaf& sheaf, std::span<const double> x, double threshold,
                                   std::span<std::uint32_t> out) {
  if (std::isnan(threshold)) return refuse(of_sheaf, "threshold is nan; it must be a number");
  std::vector<double> disagreement(sheaf.edges.size());
  VYRE_CHECK(sheaf_disagreement_reference(sheaf, x, disagreement));
  VYRE_CHECK(check_length(of_sheaf, "out", out.size(), disagreement.size()));
  std::ranges::transform(disagreement, out.begin(),
                         [&](double value) { return value > threshold ? 1U : 0U; });
  return {};
}

void sheaf_diagonal_reference(std::span<const double> stalks, std::span<const double> restriction,
                              double damping, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = stalks[i] - damping * restriction[i] * stalks[i];
  }
}

void sheaf_diagonal_reference(std::span<const std::int32_t> stalks,
                              std::span<const std::int32_t> restriction, std::int32_t damping,
                              std::span<std::int32_t> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int32_t rate = vyre::fixed_multiply(damping, restriction[i]);
    out[i] = vyre::fixed_subtract(stalks[i], vyre::fixed_multiply(rate, stalks[i]));
  }
}

Result<Equilibrium> sheaf_equilibrium_reference(std::span<const double> stalks,
                                                std::span<const double> restriction, double damping,
                                                std::span<double> out,
                                                const EquilibriumOptions& options) {
  if (stalks.empty()) return refuse(of_diagonal, "cells is 0; it must be at least 1");
  VYRE_CHECK(check_length(of_diagonal, "restriction", restriction.size(), stalks.size()));
  VYRE_CHECK(check_length(of_diagonal, "out", out.size(), stalks.size()));
  const double tolerance = options.tolerance / static_cast<double>(fixed_one);
  Equilibrium reached;
  std::vector<double> now(stalks.begin(), stalks.end());
  std::vector<double> next(stalks.size());
  while (!reached.converged && reached.iterations < options.max_iters) {
    sheaf_diagonal_reference(now, restriction, damping, next);
    reached.converged = at_rest(now, next, tolerance);
    now.swap(next);
    ++reached.iterations;
  }
  std::ranges::copy(now, out.begin());
  return reached;
}

Result<void> sheaf_diagonal_flags_reference(std::span<const double> before,
                                            std::span<const double> after, double threshold,
                                            std::span<std::uint32_t> out) {
  VYRE_CHECK(check_length(of_diagonal, "after", after.size(), before.size()));
  VYRE_CHECK(check_length(of_diagonal, "out", out.size(), before.size()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = std::abs(before[i] - after[i]) > threshold ? 1 : 0;
  }
  return {};
}

}  // namespace vyre::primitives
