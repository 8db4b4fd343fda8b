// What a program would gain if the order of its float arithmetic did not matter: measured, so that
// its author knows what that word is worth.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/clock.h"
#include "trial/evaluator.h"
#include "tune/family.h"
#include "vyre/base/error.h"
#include "vyre/store/decision.h"

namespace vyre::tune {

// The family that `reassociate` makes of a program; none if it says that already, or if that opens
// no step.
[[nodiscard]] std::optional<Family> reordered_family(const ir::Program& program,
                                                     const ir::Uniforms& uniforms,
                                                     const device::Limits& limits);

struct ReorderingOptions {
  std::chrono::nanoseconds time = std::chrono::seconds(3);
  std::size_t evaluations = 200;
  std::uint64_t seed = 0;
  std::function<bool()> stop = {};
};

// The time of what was decided over that of the best in the reordered family, both measured now; 1
// if none is faster.
[[nodiscard]] Result<double> reordering_gain(trial::Evaluator& evaluator, const Family& reordered,
                                             const Workload& workload,
                                             const store::Decision& decided,
                                             const ReorderingOptions& options,
                                             Clock& clock = steady_clock());

}  // namespace vyre::tune
