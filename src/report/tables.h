// The parts of the page that are not plots.
#pragma once

#include <string>
#include <vector>

#include "report/page.h"
#include "report/run.h"

namespace vyre::report {

// All kernels in one table, with links to their sections.
[[nodiscard]] std::string summary(const std::vector<Run>& runs);

// What came from the store.
[[nodiscard]] std::string remembered(const std::vector<Remembered>& rows);

// Speed-up, times and counts of one kernel, large, and its verdict.
[[nodiscard]] std::string key_figures(const Run& run);

// The configuration that won, beside the default's values where they differ.
[[nodiscard]] std::string configuration(const Run& run);

// The ten fastest, and the winner if it is not among them.
[[nodiscard]] std::string fastest(const Run& run);

// Cells with a number and its interval; a dash where there is none that could be shown.
[[nodiscard]] std::string time_cell(const std::optional<measure::Estimate>& ms);
[[nodiscard]] std::string ratio_cell(const std::optional<measure::Estimate>& ratio);

// A table in a box of its own, in which it scrolls where it is wider than the page. The rows are
// HTML.
[[nodiscard]] std::string table(std::string_view head, std::string_view rows);

// The id of the kernel's section.
[[nodiscard]] std::string anchor(std::size_t kernel);

}  // namespace vyre::report
