// Several ways to do the same work, measured in rounds in which they take turns.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace vyre::bench {

struct Side {
  std::string name;
  std::function<void()> work;
};

// Wall nanoseconds of each side in each round, [side][round], after two rounds to warm up. Who goes
// first changes from round to round. A turn is a pause, the work for long enough that all
// threads are awake and each has a core, and the work for as long with the clock running.
[[nodiscard]] std::vector<std::vector<double>> take_turns(const std::vector<Side>& sides,
                                                          int rounds);

// The median over rounds of the best of the others / the first.
[[nodiscard]] double best_other_to_first(const std::vector<std::vector<double>>& times);

// "vyre 210 us, Eigen 1230 us": the medians.
[[nodiscard]] std::string medians(const std::vector<Side>& sides,
                                  const std::vector<std::vector<double>>& times);

}  // namespace vyre::bench
