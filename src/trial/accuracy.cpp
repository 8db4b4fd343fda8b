#include "trial/accuracy.h"

#include <algorithm>
#include <cmath>

namespace vyre::trial {

std::size_t Accuracy::index_of(double value) {
  const int exponent = value == 0 ? least_exponent : std::ilogb(value);
  return static_cast<std::size_t>(std::max(exponent, least_exponent) - least_exponent);
}

void Accuracy::see(double exact, double computed) {
  const double error = std::abs(computed - exact);
  if (!std::isfinite(error) || error == 0) return;
  // All magnitudes above it may be as wrong, so most elements end at their own.
  for (std::size_t i = index_of(exact); i < errors_.size() && errors_[i] < error; ++i) {
    errors_[i] = error;
  }
  ++counts_[index_of(error)];
  ++seen_;
  if (exact != 0) worst_ = std::max(worst_, error / std::abs(exact));
}

void Accuracy::settle(double scale) {
  scale_ *= scale;
  median_ = median();
}

// The power of two above it.
double Accuracy::median() const {
  std::uint64_t below = 0;
  for (std::size_t i = 0; seen_ > 0; ++i) {
    below += counts_[i];
    if (2 * below >= seen_) return std::ldexp(1.0, static_cast<int>(i) + least_exponent + 1);
  }
  return 0;
}

double Accuracy::allowed(double expected) const {
  if (!std::isfinite(expected)) return 0;
  const double near = errors_[std::min(index_of(expected) + neighbours, exponents - 1)];
  return factor * scale_ * std::max(near, medians * median_);
}

}  // namespace vyre::trial
