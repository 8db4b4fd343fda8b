// What each parameter does to the time: the attempts sorted by its value, drawn as small plots with
// one axis, so that they can be compared.
#pragma once

#include <string>

#include "report/results_view.h"

namespace vyre::report {

// One small plot for each parameter of which more than one value was tried.
[[nodiscard]] std::string effects(const ResultsView& view);

}  // namespace vyre::report
