// Candidates timed against each other, fairly: each is verified and measured alone, then those that
// may be the fastest race.
//
//   auto session = vyre::worker::Session::start({});
//   const auto a = vyre::trial::candidate({program_a, {}}, buffers, session->language());
//   const auto b = vyre::trial::candidate({program_b, {}}, buffers, session->language());
//   const std::vector candidates = {*a, *b};
//   const auto report = vyre::trial::time(*session, candidates);
//   for (const auto& row : report->rows) std::printf("%s %g ns\n", row.name.c_str(), row.time_ns);
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "measure/race.h"
#include "trial/candidate.h"
#include "trial/evaluate.h"
#include "trial/outcome.h"
#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "worker/session.h"

namespace vyre::trial {

struct TimeOptions {
  EvaluateOptions evaluate;
  measure::RaceOptions race;  // its basis is that of `evaluate`
};

struct Row {
  std::string name;
  Outcome outcome;
  // Of a correct candidate, over all its samples: median wall time and CPU time of a launch, each
  // with its 95 % interval. CPU time only where the device is the CPU.
  double time_ns = 0;
  measure::Interval time_interval;
  double cpu_ns = 0;
  measure::Interval cpu_interval;
  // Empty if it did not race: it failed, or was surely slower after its first samples.
  std::optional<measure::Standing> standing;
};

struct Report {
  device::Adapter adapter;
  measure::Basis basis = measure::Basis::wall;  // what the order is by
  bool confirmed_by_wall = false;               // and wall time does not contradict it
  std::vector<Row> rows;                        // in the order of the candidates
  std::optional<std::size_t> winner;            // none if nothing is correct
  std::uint32_t rounds = 0;
};

// Candidates that were measured race; those that failed or were abandoned are rows without a
// standing. Errors are those of the run; a candidate that fails in the race gets its verdict.
[[nodiscard]] Result<Report> race(std::span<Evaluated> entrants, const device::Adapter& adapter,
                                  const TimeOptions& options, Clock& clock);

// Each is evaluated, then they race. A candidate that fails is a row with its reason.
[[nodiscard]] Result<Report> time(worker::Session& session, std::span<const Candidate> candidates,
                                  const TimeOptions& options = {}, Clock& clock = steady_clock());

}  // namespace vyre::trial
