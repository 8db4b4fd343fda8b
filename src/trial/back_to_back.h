// The time of a launch among many: warm and back to back, as the loop of a benchmark has it.
//
// A race restores what a kernel changes in place before each launch, so that all do the same work;
// a benchmark launches on. Beside what a race says, this is what other people's figures mean.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"
#include "trial/candidate.h"
#include "vyre/base/error.h"
#include "vyre/measure/estimate.h"
#include "worker/session.h"

namespace vyre::trial {

struct BackToBackOptions {
  std::chrono::nanoseconds batch = std::chrono::milliseconds(20);  // takes at least this long
  std::uint32_t batches = 15;
  std::uint32_t max_launches = 10'000;                        // in a batch
  std::chrono::nanoseconds budget = std::chrono::seconds(1);  // but one batch is always taken
};

struct BackToBack {
  measure::Estimate elapsed;   // nanoseconds of wall time of a launch: the median over batches
  std::uint32_t launches = 0;  // in each batch; of slow kernels one
};

// Builds the candidate again. What it changes in place goes on from what the launch before left, in
// the session's copy of its contents. Errors may be the candidate's: see verdict_of.
[[nodiscard]] Result<BackToBack> back_to_back(worker::Session& session, const Candidate& candidate,
                                              const BackToBackOptions& options = {},
                                              Clock& clock = steady_clock());

}  // namespace vyre::trial
