// The covariance function (kernel) of the Gaussian process: how alike two configurations are, which
// is the inner product of their features in the policy.
//
//   smooth   k = (1 + r + r^2/3) exp(-r),  r^2 = 5 sum_f ((x_f - y_f) / scale_f)^2
//   pairs    k = m (m + 1) / (D (D + 1)),  m of D values are shared
//   singles  k = m / D
//
// The first is Matern's with smoothness 5/2 (Rasmussen and Williams, "Gaussian processes for
// machine learning", 2006, section 4.2), whose features are without number. The others are those of
// a log-linear policy with a weight for each value, and also for each pair of values: of these, two
// configurations share m and m (m - 1) / 2.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "search/settings.h"

namespace vyre::search {

// Candidates are handled so many at a time: features and results lie side by side.
inline constexpr std::size_t lanes = 32;
using Lanes = std::array<float, lanes>;

struct Covariance {
  CovarianceKind kind = CovarianceKind::smooth;
  std::vector<float> scales;  // one for each feature
  double noise = 1e-3;        // the variance of a measurement, relative to k(x, x) = 1

  [[nodiscard]] float between(std::span<const float> x, std::span<const float> y) const;
  // One configuration against `lanes` others; block[f] holds feature f of all of them.
  void against(std::span<const float> x, std::span<const Lanes> block, Lanes& out) const;
};

}  // namespace vyre::search
