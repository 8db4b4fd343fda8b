// The contests of many programs, and what they come to for the benchmarks.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench.h"
#include "contest.h"

namespace vyre::bench {

struct Contests {
  std::vector<Contest> held;
  std::vector<std::string> failures;  // "softmax: why", of those that could not be held
};

// `after_each` sees each contest when it is over.
[[nodiscard]] Contests hold_all(std::span<const Entry* const> entries, device::Device& device,
                                const ContestOptions& options,
                                const std::function<void(const Contest&)>& after_each);

// Requires: one was held. A program that failed makes the worst 0 and is left out of the means.
[[nodiscard]] std::vector<Row> rows_of(const Contests& contests);
// Of the rows, where OpenBLAS is there.
[[nodiscard]] std::vector<std::string> row_names();

}  // namespace vyre::bench
