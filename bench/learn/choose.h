// Which examples to keep: those without which other programs would begin worse.
//
// Each program is given the promising members that the examples of the others make, and what the
// best of them gains was measured (leave one out). An example that can go without loss goes.
#pragma once

#include <cstddef>
#include <vector>

#include "schedule/examples.h"
#include "vyre/space/space.h"

namespace vyre::learn {

// What one program's examples made of another program, nearest example first.
struct Trial {
  std::size_t example = 0;
  space::Index member = 0;
  double gain = 0;
};

// `trials[p]` are those of program p; none of them is of its own example.
using Trials = std::vector<std::vector<Trial>>;

// The gain of each program by the best of its `most` first distinct members, of the examples that
// are kept; 1 where none gains.
[[nodiscard]] std::vector<double> left_out_gains(const Trials& trials,
                                                 const std::vector<bool>& kept,
                                                 std::size_t most = 5);
[[nodiscard]] double geometric_mean(const std::vector<double>& values);

// Which of `count` examples are kept.
[[nodiscard]] std::vector<bool> choose(const Trials& trials, std::size_t count);

}  // namespace vyre::learn
