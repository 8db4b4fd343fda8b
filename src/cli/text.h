// Text for people: times, intervals of them, ratios, and tables.
#pragma once

#include <string>
#include <vector>

#include "measure/statistics.h"

namespace vyre::cli {

// "812 ns", "3.14 us", "0.125 ms", "2.500 s".
[[nodiscard]] std::string time_text(double ns);
// "748.1 us (741.0 .. 760.2)"; without the interval if that is a point: nothing is known of it.
[[nodiscard]] std::string estimate_text(double ns, const measure::Interval& interval);
// "3.10 us .. 3.19 us".
[[nodiscard]] std::string interval_text(const measure::Interval& ns);
// "2.95 (2.90 .. 3.01)", in the same way.
[[nodiscard]] std::string ratio_text(double ratio, const measure::Interval& interval);

// Text in columns. The first row is the heading. Columns are as wide as their widest cell, two
// spaces apart; those whose cells are all numbers (the heading aside) are set to the right. Cells
// become printable, on one line each.
[[nodiscard]] std::string table(std::vector<std::vector<std::string>> rows);

}  // namespace vyre::cli
