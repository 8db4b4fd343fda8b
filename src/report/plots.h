// The two large plots of one kernel, each a <figure>. Empty where nothing has a time.
#pragma once

#include <string>

#include "report/results_view.h"

namespace vyre::report {

// How the search went: every attempt by its number, and the fastest until then.
[[nodiscard]] std::string best_so_far(const ResultsView& view);

// How many configurations are how fast.
[[nodiscard]] std::string distribution(const ResultsView& view);

}  // namespace vyre::report
