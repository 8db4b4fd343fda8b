// What the contests came to, as text and as means.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "contest.h"

namespace vyre::bench {

[[nodiscard]] std::string table_head();
[[nodiscard]] std::string table_row(const Contest& contest);
// "softmax 0.93 of OpenMP (3.1 ms, 31 tries)", for the notes of a benchmark.
[[nodiscard]] std::string short_row(const Contest& contest);

// Of numbers above 0; 0 if there are none.
[[nodiscard]] double geometric_mean(std::span<const double> values);
// Their time / vyre's, of all contests that have such a rival.
[[nodiscard]] std::vector<double> ratios_to(std::span<const Contest> contests,
                                            std::string_view rival);
[[nodiscard]] std::vector<double> ratios_to_best(std::span<const Contest> contests);
[[nodiscard]] std::vector<double> ratios_to_best(std::span<const Contest> contests, Half half);
// Of the programs that memory bounds.
[[nodiscard]] std::vector<double> bandwidths(std::span<const Contest> contests);

}  // namespace vyre::bench
