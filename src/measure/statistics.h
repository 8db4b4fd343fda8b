// Numbers from repeated measurements: a quantile, how sure it is, and whether it wandered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "vyre/measure/estimate.h"

namespace vyre::measure {

// Between order statistics linearly. Requires: values, 0 <= q <= 1.
[[nodiscard]] double quantile(std::span<const double> values, double q);
[[nodiscard]] double median(std::span<const double> values);

struct BootstrapOptions {
  double confidence = 0.95;
  std::size_t resamples = 400;
  std::uint64_t seed = 0;
};
// The percentile interval of the quantile over resampled values: Efron, "Bootstrap methods: another
// look at the jackknife", 1979. The same for a seed everywhere. Requires: values.
[[nodiscard]] Interval bootstrap(std::span<const double> values, double q,
                                 const BootstrapOptions& options = {});

// A trend over the order in which the values were taken: the medians of the last and the first
// third differ by `change`, relative to the first.
struct Drift {
  double change = 0;
};
// Empty if there is none to be seen: the rank test of Mann, "Nonparametric tests against trend",
// 1945, at three standard deviations, and a change of at least `least`.
[[nodiscard]] std::optional<Drift> drift(std::span<const double> values, double least = 0.02);

}  // namespace vyre::measure
