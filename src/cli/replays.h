// The replays of `vyre simulate`: every strategy on every recorded space with every seed, on all
// cores, and what they come to.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/formats/recorded.h"
#include "vyre/search/replay.h"

namespace vyre::cli {

struct Dataset {
  formats::Recorded recorded;
  search::Scorer scorer;
};

struct Replay {
  std::size_t dataset = 0;
  std::string strategy;
  std::uint64_t seed = 0;
  std::vector<search::Index> trace;
  search::RunScore score;
  double ms_per_suggestion = 0;
};

struct Plan {
  std::vector<std::string> strategies;
  std::size_t seeds = 10;
  std::size_t evaluations = 0;  // 0: as many as the score looks at
  std::size_t jobs = 1;
};

// In the order of datasets, strategies and seeds. `progress` is told how many are done of how many;
// it is called by one thread at a time. Requires strategies that exist.
[[nodiscard]] std::vector<Replay> replay_all(
    const std::vector<Dataset>& datasets, const Plan& plan,
    const std::function<void(std::size_t, std::size_t)>& progress);

// A heading, a row for each dataset and strategy, and with several datasets a mean for each
// strategy.
[[nodiscard]] std::vector<std::vector<std::string>> summary(const std::vector<Dataset>& datasets,
                                                            const Plan& plan,
                                                            const std::vector<Replay>& replays);

// One line of a trace file.
[[nodiscard]] std::string trace_line(const Dataset& dataset, const Replay& replay);

}  // namespace vyre::cli
