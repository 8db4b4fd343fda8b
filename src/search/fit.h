// Finds the scales of the features and the damping that explain what was measured best: the maximum
// of the logarithm of
//
//   p(y | scales, noise) p(scales) p(noise),   y ~ N(0, s^2 (K + noise I)),
//
// with s^2 = (y' (K + noise I)^-1 y + 2) / (n + 2) put in its place (Rasmussen and Williams, 2006,
// section 5.4). The priors are log-normal: scales about 0.7 of a feature's range within a factor
// e, noise about 1e-3 within a factor e^1.5. They decide while there are few measurements.
#pragma once

#include <span>
#include <vector>

#include "search/kernel.h"

namespace vyre::search {

// `rows` holds the features of each measured configuration, row after row; `y` its target. Starts
// at the kernel's present values.
void fit(Kernel& kernel, std::span<const float> rows, std::span<const double> y);

// What fit() climbs, at the kernel's values; nothing useful but to compare.
[[nodiscard]] double log_posterior(const Kernel& kernel, std::span<const float> rows,
                                   std::span<const double> y);

}  // namespace vyre::search
