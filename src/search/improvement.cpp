#include "search/improvement.h"

#include <cmath>
#include <numbers>

namespace vyre::search {
namespace {

const float log_sqrt_two_pi = 0.5F * std::log(2.0F * std::numbers::pi_v<float>);

}  // namespace

float log_improvement(float z) {
  if (z < -4) {  // phi(z) (1/z^2 - 3/z^4 + ...)
    const float z2 = z * z;
    return -0.5F * z2 - log_sqrt_two_pi - std::log(z2) + std::log1p(-3.0F / z2 + 15.0F / (z2 * z2));
  }
  const double x = static_cast<double>(z);
  const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
  return static_cast<float>(std::log(density + x * 0.5 * std::erfc(-x / std::numbers::sqrt2)));
}

float log_improvement_bound(float z) { return z < 0 ? -0.5F * z * z - log_sqrt_two_pi : z; }

}  // namespace vyre::search
