// Where a search should begin: what was good for the programs that are most like this one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "schedule/examples.h"
#include "schedule/features.h"
#include "vyre/space/space.h"

namespace vyre::schedule {

// The configuration of a space that is nearest to an example's. Parameters that the example does
// not have are as in the baseline; those that the space does not have are left out. Where the space
// does not have the values, or not together, the nearest that it has: workgroups give way first.
// Vectors are narrower where the example's would leave much of a row of the grid (the features are
// the program's) to be done one by one. Requires: a space that is not empty.
[[nodiscard]] space::Index adapted(const space::Space& space, space::Index baseline,
                                   const Features& features, const Example& example);

// What the steps of the space guess (see schedule/step.h), then the configurations of the nearest
// examples, the nearest first; adapted, each once, and never the baseline.
[[nodiscard]] std::vector<space::Index> promising(const space::Space& space, space::Index baseline,
                                                  const Features& features,
                                                  std::span<const Example> examples,
                                                  std::size_t most = 5);

// The nearest first.
[[nodiscard]] std::vector<const Example*> by_distance(const Features& features,
                                                      std::span<const Example> examples);

// How many times faster the nearest examples became: their geometric mean; 1 without examples.
[[nodiscard]] double expected_gain(const Features& features, std::span<const Example> examples,
                                   std::size_t nearest = 3);

}  // namespace vyre::schedule
