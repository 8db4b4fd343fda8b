// Runs a strategy on recorded data, as fast as it decides: what it asks for is looked up.
#pragma once

#include <cstddef>
#include <vector>

#include "vyre/formats/recorded.h"
#include "vyre/search/score.h"
#include "vyre/search/strategy.h"

namespace vyre::search {

// Of each configuration its time, nan if it failed, and its cost, in ms; see Scorer::make.
[[nodiscard]] Result<Scorer> scorer_of(const formats::Recorded& recorded, std::size_t budget = 0);

// Configurations in the order of evaluation. Ends after `evaluations`; with 0 when both of the
// scorer's budgets are used up or the optimum is found, since nothing after that changes a score.
[[nodiscard]] std::vector<Index> replay(Strategy& strategy, const formats::Recorded& recorded,
                                        const Scorer& scorer, std::size_t evaluations = 0);

}  // namespace vyre::search
