#include "measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "measure/random.h"

namespace vyre::measure {
namespace {

// Reorders the values.
double take_quantile(std::span<double> values, double q) {
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below_it = static_cast<std::ptrdiff_t>(place);
  const auto at = values.begin() + below_it;
  std::ranges::nth_element(values, at);
  const double low = *at;
  const double part = place - static_cast<double>(below_it);
  if (part == 0) return low;
  return low + part * (*std::min_element(at + 1, values.end()) - low);
}

int sign(double x) { return (x > 0) - (x < 0); }

// Later values above earlier ones, less those below.
double concordance(std::span<const double> values) {
  int sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) sum += sign(values[i] - values[j]);
  }
  return sum;
}

}  // namespace

double quantile(std::span<const double> values, double q) {
  check(!values.empty(), "a quantile is of some values");
  std::vector<double> copy(values.begin(), values.end());
  return take_quantile(copy, q);
}

double median(std::span<const double> values) { return quantile(values, 0.5); }

Interval bootstrap(std::span<const double> values, double q, const BootstrapOptions& options) {
  check(!values.empty(), "an interval is of some values");
  std::mt19937_64 random(options.seed);
  std::vector<double> drawn(values.size());
  std::vector<double> estimates(options.resamples);
  for (double& estimate : estimates) {
    for (double& one : drawn) one = values[below(random, values.size())];
    estimate = take_quantile(drawn, q);
  }
  const double tail = (1 - options.confidence) / 2;
  return {take_quantile(estimates, tail), take_quantile(estimates, 1 - tail)};
}

std::optional<Drift> drift(std::span<const double> values, double least) {
  constexpr std::size_t fewest = 9;
  if (values.size() < fewest) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  const double deviation = std::sqrt(n * (n - 1) * (2 * n + 5) / 18);
  if (std::abs(concordance(values)) < 3 * deviation) return std::nullopt;
  const std::size_t third = values.size() / 3;
  const double first = median(values.first(third));
  const double change = (median(values.last(third)) - first) / first;
  if (std::abs(change) < least) return std::nullopt;
  return Drift{change};
}

}  // namespace vyre::measure
