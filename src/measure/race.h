// Candidates measured against each other in rounds, until it is clear which is fastest and which
// cannot be told from it.
//
// In a round every candidate still in the race is sampled once, in an order shuffled anew, so that
// drift and slow phases hit all alike; times are compared within their round only. Who is surely
// slower than the leader drops out. What cannot be told apart is a tie.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "measure/evidence.h"
#include "measure/sample.h"
#include "vyre/base/error.h"

namespace vyre::measure {

struct RaceOptions {
  Basis basis = Basis::wall;
  // Differences on the basis that wall time surely contradicts are reported as ties. For CPU time,
  // which does not see load imbalance.
  bool confirm_by_wall = false;
  double margin = 0.02;  // relative: less than this is a tie
  std::uint32_t min_rounds = 5;
  std::uint32_t max_rounds = 60;
  std::chrono::nanoseconds budget = std::chrono::seconds(30);  // of more than three rounds
  std::uint64_t seed = 0;                                      // of the order in the rounds
};

struct Entrant {
  Sampler sampler;
  std::uint32_t launches = 1;
};

enum class Rank : std::uint8_t { winner, tied, slower };
[[nodiscard]] std::string_view name_of(Rank rank);

struct Standing {
  Rank rank = Rank::winner;
  std::vector<Sample> samples;  // one per round, from the first round on
  double estimate_ns = 0;       // the median
  double ratio = 1;             // of its time to the winner's
  Interval ratio_interval;      // with 95 %
  bool contradicted = false;    // tied because wall time says the opposite
};

struct RaceResult {
  Basis basis = Basis::wall;
  std::vector<Standing> standings;  // in the order of the entrants
  std::size_t winner = 0;
  std::uint32_t rounds = 0;
};

// An error of a sampler ends the race. Requires: an entrant.
[[nodiscard]] Result<RaceResult> race(std::span<const Entrant> entrants, Clock& clock,
                                      const RaceOptions& options = {});

}  // namespace vyre::measure
