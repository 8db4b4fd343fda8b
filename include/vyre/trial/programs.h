// Programs timed against each other, fairly: each is verified against the interpreter and measured
// in a process of its own, which may hang or crash; then those that may be the fastest race in
// shuffled rounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/base/verdict.h"
#include "vyre/measure/estimate.h"
#include "vyre/run/run.h"
#include "vyre/worker/options.h"

namespace vyre::trial {

enum class Rank : std::uint8_t {
  first,
  tied,    // cannot be told from the first
  slower,  // surely
  failed,
};
[[nodiscard]] std::string_view name_of(Rank rank);

struct ProgramTime {
  std::string name;
  Verdict verdict = Verdict::correct;
  std::string reason;         // why it is not correct
  measure::Estimate time_ns;  // wall time of a launch
  Rank rank = Rank::failed;
};

// One row for each program, in their order; one that fails is a row with its reason. `contents` are
// those of the global buffers in the order of declaration, the same for all programs; what a
// program only writes starts with a pattern that shows what it left out. Errors are those of the
// run: no device, no worker, contents of another length.
[[nodiscard]] Result<std::vector<ProgramTime>> time_programs(
    std::span<const run::Request> programs, std::span<const std::vector<std::byte>> contents,
    const worker::Options& options = {});

}  // namespace vyre::trial
