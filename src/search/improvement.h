// The logarithm of expected improvement, in units of the deviation: with z = (best - mean) / sd,
//
//   log(phi(z) + z Phi(z))
//
// (Jones, Schonlau and Welch, "Efficient global optimization of expensive black-box functions",
// 1998). Far below the best, where the value itself would be 0, its expansion is used, so that the
// order of candidates is never lost.
#pragma once

#include <cmath>
#include <numbers>

namespace vyre::search {

inline constexpr float log_sqrt_2pi = 0.918938533204672742F;

[[nodiscard]] inline float log_improvement(float z) {
  if (z < -4) {  // phi(z) (1/z^2 - 3/z^4 + ...)
    const float z2 = z * z;
    return -0.5F * z2 - log_sqrt_2pi - std::log(z2) + std::log1p(-3.0F / z2 + 15.0F / (z2 * z2));
  }
  const double x = static_cast<double>(z);
  const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
  return static_cast<float>(std::log(density + x * 0.5 * std::erfc(-x / std::numbers::sqrt2)));
}

// Never below log_improvement(z), and cheap.
[[nodiscard]] inline float log_improvement_bound(float z) {
  return z < 0 ? -0.5F * z * z - log_sqrt_2pi : z;
}

}  // namespace vyre::search
