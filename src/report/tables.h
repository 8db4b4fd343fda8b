// The lists of the page: kernels, remembered decisions, fastest configurations, failures.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/page.h"
#include "report/results_view.h"

namespace vyre::report {

// All kernels in one table, with links to their sections.
[[nodiscard]] std::string summary(const std::vector<ResultsView>& views);

// What came from the store.
[[nodiscard]] std::string remembered(const std::vector<Remembered>& rows);

// The ten fastest, and the winner if it is not among them.
[[nodiscard]] std::string fastest(const ResultsView& view);

// How many attempts failed, in which way, and the reasons that were given most.
[[nodiscard]] std::string failures(const ResultsView& view);

// The id of the kernel's section.
[[nodiscard]] std::string anchor(std::size_t kernel);

}  // namespace vyre::report
