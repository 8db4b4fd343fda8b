// What the race at the end of a run says: what to choose, and what that gains.
//
// Only what the race measured counts, and only rounds in which both ran: what is said of the winner
// and of the baseline was measured side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "trial/time.h"
#include "vyre/base/error.h"
#include "vyre/store/decision.h"

namespace vyre::tune {

enum class Gain : std::uint8_t {
  faster,   // than the baseline, surely
  tied,     // with the baseline: it stays
  none,     // the baseline is the fastest
  alone,    // there was nothing to race against the baseline
  unknown,  // the baseline failed in the race
};
[[nodiscard]] std::string_view to_string(Gain gain);

struct Judgement {
  Gain gain = Gain::alone;
  bool compared = false;                    // with anything, so that it is worth remembering
  std::size_t winner = 0;                   // of the rows
  measure::Estimate elapsed;                // nanoseconds of the winner
  std::optional<store::Baseline> baseline;  // none if the baseline failed
  std::uint64_t samples = 0;                // of the winner, that this is from
};

// The baseline is the first row. An error if nothing was correct to the end.
[[nodiscard]] Result<Judgement> judge(const trial::Report& race);

}  // namespace vyre::tune
