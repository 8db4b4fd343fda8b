// One candidate measured until its time is known well enough, it is surely too slow, or its time is
// used. Knows samples and a clock, no device.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "measure/sample.h"
#include "measure/statistics.h"
#include "vyre/base/error.h"

namespace vyre::measure {

struct RepeatOptions {
  Basis basis = Basis::wall;
  double target = 0.02;  // half the interval's width over the estimate
  std::chrono::nanoseconds budget = std::chrono::seconds(2);  // the warm-up included
  std::uint32_t min_samples = 5;
  std::uint32_t max_samples = 200;
  // Samples that do not count, with one launch each; fewer if they take an eighth of the budget.
  std::uint32_t warm_up = 2;
  // A sample takes at least this long, by as many launches as that needs.
  std::chrono::nanoseconds min_sample = std::chrono::microseconds(500);
  std::uint32_t max_launches = 1000;
  std::optional<double> best_ns;  // of the best candidate so far, on the same basis
  std::uint64_t seed = 0;         // of the bootstrap
};

enum class Stop : std::uint8_t {
  narrow,     // the interval is within the target
  budget,     // the time or the samples are used up
  abandoned,  // surely slower than the best so far
};
[[nodiscard]] std::string_view name_of(Stop stop);

struct Measurement {
  Basis basis = Basis::wall;
  std::vector<Sample> warm_up;
  std::vector<Sample> samples;  // in the order in which they were taken
  double estimate_ns = 0;       // the median
  Interval interval;
  Stop stop = Stop::budget;
  std::optional<Drift> drift;
};

// Always takes one sample, after a warm-up. An error of the sampler ends it.
[[nodiscard]] Result<Measurement> repeat(const Sampler& sampler, Clock& clock,
                                         const RepeatOptions& options = {});

// As many launches as take at least so long, by what one took.
[[nodiscard]] std::uint32_t launches_for(double one_ns, std::chrono::nanoseconds least,
                                         std::uint32_t most);

// Whether a candidate with these times is surely slower than the best so far: even its fastest
// sample is, by a margin that shrinks with the number of samples, so that one slow phase of the
// machine does not condemn it.
[[nodiscard]] bool surely_slower(std::span<const double> times, double best_ns);

}  // namespace vyre::measure
