// Finds the hyperparameters of the Gaussian process, the scales of the features and the noise: the
// maximum of the logarithm of
//
//   p(y | scales, noise) p(scales) p(noise),   y ~ N(0, s^2 (K + noise I + D)),
//
// with s^2 = (y' (K + noise I + D)^-1 y + 2) / (n + 2) put in its place (Rasmussen and Williams,
// "Gaussian processes for machine learning", 2006, section 5.4). D is diagonal: the noise that was
// told of each measurement. The priors are log-normal: scales about 0.7 of a feature's range within
// a factor e, noise about 1e-3 within a factor e^1.5. They decide while there are few measurements.
#pragma once

#include <span>

#include "search/covariance.h"

namespace vyre::search {

// What was measured, a place in each list for each configuration.
struct FitData {
  std::span<const float> rows;    // the features, row after row
  std::span<const double> y;      // the targets
  std::span<const double> noise;  // told of the target, as a variance; 0 if not known
};

// Starts at the present values.
void fit(Covariance& covariance, const FitData& data);

// What fit() climbs; nothing useful but to compare.
[[nodiscard]] double log_posterior(const Covariance& covariance, const FitData& data);

}  // namespace vyre::search
