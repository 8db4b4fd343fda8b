// What a run found, configuration by configuration: what result files and report pages are made of.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "measure/statistics.h"
#include "vyre/base/verdict.h"
#include "vyre/formats/recorded.h"
#include "vyre/space/value.h"

namespace vyre::formats {

// One configuration that was tried. Times are of one launch.
struct Tried {
  std::vector<space::Value> values;  // one for each parameter
  Verdict verdict = Verdict::correct;
  std::string reason;             // why it is not correct
  double time_ms = 0;             // the estimate, only if correct
  measure::Interval interval_ms;  // that holds it, 95 %
  std::vector<double> runs_ms;    // every sample
  Cost cost;
  double at_s = 0;  // when it was done, in seconds from the start
};

// The race at the end, over the rounds in which both ran.
struct Raced {
  measure::Estimate original_ms;
  measure::Estimate winner_ms;
  measure::Estimate speedup;
};

struct Results {
  std::string kernel;
  std::string sizes;  // that it ran with: "w=1024 h=1024"
  std::string device;
  std::string driver;
  std::string strategy;
  std::chrono::sys_seconds started = {};
  std::vector<std::string> parameters;
  std::vector<Tried> tried;  // in this order
  // Indices of `tried`: what everything is compared with, and what won the race at the end.
  std::optional<std::size_t> original;
  std::optional<std::size_t> winner;
  std::string accepted;  // what counted as right, in a line
  bool tied = false;     // something else with the original, within the noise: the original won
  std::optional<Raced> raced;
};

}  // namespace vyre::formats
