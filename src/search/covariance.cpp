#include "search/covariance.h"

#include <cmath>

namespace vyre::search {
namespace {

float matern(float squared) {
  const float r = std::sqrt(5.0F * squared);
  return (1.0F + r + r * r * (1.0F / 3.0F)) * std::exp(-r);
}

float shared(CovarianceKind kind, float m, float d) {
  return kind == CovarianceKind::pairs ? m * (m + 1) / (d * (d + 1)) : m / d;
}

}  // namespace

float Covariance::between(std::span<const float> x, std::span<const float> y) const {
  float sum = 0;
  for (std::size_t f = 0; f < x.size(); ++f) {
    const float step = (x[f] - y[f]) / scales[f];
    sum += kind == CovarianceKind::smooth ? step * step : static_cast<float>(x[f] == y[f]);
  }
  if (kind == CovarianceKind::smooth) return matern(sum);
  return shared(kind, sum, static_cast<float>(x.size()));
}

void Covariance::against(std::span<const float> x, std::span<const Lanes> block, Lanes& out) const {
  Lanes sum = {};
  for (std::size_t f = 0; f < x.size(); ++f) {
    const Lanes& y = block[f];
    const float inverse = 1.0F / scales[f];
    if (kind == CovarianceKind::smooth) {
      for (std::size_t c = 0; c < lanes; ++c) {
        const float step = (y[c] - x[f]) * inverse;
        sum[c] += step * step;
      }
    } else {
      for (std::size_t c = 0; c < lanes; ++c) sum[c] += static_cast<float>(y[c] == x[f]);
    }
  }
  const auto count = static_cast<float>(x.size());
  for (std::size_t c = 0; c < lanes; ++c) {
    out[c] = kind == CovarianceKind::smooth ? matern(sum[c]) : shared(kind, sum[c], count);
  }
}

}  // namespace vyre::search
