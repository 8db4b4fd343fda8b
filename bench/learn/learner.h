// Makes the file of examples that tuning starts from.
//
// Every program is tuned, from what is known by then of those that are most like it; then the
// others' winners are measured on it, and examples that help nobody are left out.
#pragma once

#include <cstddef>
#include <string>

#include "tuner.h"
#include "vyre/base/error.h"

namespace vyre::learn {

struct LearnOptions {
  std::string output;
  double seconds = 10;      // of searching, for each program
  std::size_t tries = 200;  // of configurations at most, for each program
  std::string only;         // programs whose names contain this
  double least_gain = 1.1;  // of an example
};

[[nodiscard]] Result<void> learn(Tuner tuner, const LearnOptions& options);

}  // namespace vyre::learn
