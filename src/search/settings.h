// What can be changed about the strategy `natural`. The defaults are the strategy; other values are
// there for ablations: docs/search.md says what each is worth.
#pragma once

#include <cstdint>
#include <string_view>

#include "vyre/base/error.h"

namespace vyre::search {

// What makes two configurations alike (covariance.h has the formulas).
enum class CovarianceKind : std::uint8_t {
  smooth,   // how near their values are, with a scale for each feature
  pairs,    // which values and which pairs of values they share
  singles,  // which values they share: no couplings
};

// How the next configuration is chosen.
enum class Acquisition : std::uint8_t {
  improvement,  // the greatest expected improvement per root of the cost
  sample,       // drawn from the policy
};

struct Settings {
  std::uint32_t start = 5;  // configurations spread over the space before the first step
  std::uint32_t local = 3;  // every n-th suggestion is a neighbour of the best; 0: none
  bool fisher = true;       // precondition the step
  bool alignment = true;    // how often two divides a value is a feature, too
  CovarianceKind covariance = CovarianceKind::smooth;
  Acquisition acquisition = Acquisition::improvement;
  double cost_power = 0.5;      // improvement is divided by the predicted cost to this power
  double sharpness = 4;         // of the policy when it is drawn from
  std::uint32_t pool = 20'000;  // configurations that are compared at once
  std::uint32_t rows = 400;     // measurements that the Gaussian process keeps, at least 16
};

// "start=10,fisher=off" on top of `base`; empty changes nothing.
[[nodiscard]] Result<Settings> parse_settings(std::string_view text, Settings base);

}  // namespace vyre::search
