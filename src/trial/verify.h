// Whether a run left what it should: expected outputs, untouched inputs, untouched surroundings.
#pragma once

#include <optional>
#include <string>

#include "trial/candidate.h"
#include "trial/outcome.h"
#include "worker/session.h"

namespace vyre::trial {

struct Fault {
  Verdict verdict = Verdict::correctness;
  std::string reason;
};

// What each argument of its kernel holds after a run where nothing is wrong, and results agree to
// the bit; null of those of which nothing is known.
[[nodiscard]] std::vector<worker::Data> likely_contents(const Candidate& candidate);

// The first fault found: writes out of bounds, then changed inputs, then wrong elements. Requires:
// the output is of the candidate's kernel, run with likely_contents or without.
[[nodiscard]] std::optional<Fault> find_fault(const Candidate& candidate,
                                              const worker::Output& output);

// "element 17 is 3.5, expected 4.5; 12 of 1000 elements differ", or empty if all are right.
// Requires: equal lengths.
[[nodiscard]] std::string wrong_elements(const Expected& expected,
                                         const std::vector<std::byte>& got);

}  // namespace vyre::trial
