// What one parameter does to the time: the attempts sorted by its value.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/run.h"

namespace vyre::report {

// The attempts with one value or, where there are very many values, with neighbouring ones.
struct Column {
  space::Value first;
  space::Value last;
  std::vector<std::size_t> timed;  // indices
  std::size_t failed = 0;
  double median_ms = 0;  // only if something is timed
  double best_ms = 0;
};

struct Effect {
  std::size_t parameter = 0;
  std::vector<Column> columns;  // numbers rising, other values as they came
  double ratio = 1;             // between the greatest and the least median
};

// Of every parameter of which more than one value was tried; the greatest effects first.
[[nodiscard]] std::vector<Effect> effects_of(const Run& run);

}  // namespace vyre::report
