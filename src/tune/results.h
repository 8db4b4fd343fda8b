// What a tuning run found, as result files and report pages take it.
#pragma once

#include <chrono>
#include <string>

#include "formats/results.h"
#include "tune/family.h"
#include "tune/tune.h"
#include "vyre/device/device.h"

namespace vyre::tune {

// The attempts in their order, with times on the basis on which they were measured. What was
// done before an attempt to choose and emit it counts as the framework's. Attempts are built and
// verified side by side, so their costs do not add up to the time of the run.
// `started` is when the run was.
[[nodiscard]] formats::Results results_of(const Family& family, const Tuning& tuning,
                                          const device::Adapter& adapter, std::string strategy,
                                          std::chrono::sys_seconds started);

[[nodiscard]] measure::Estimate in_ms(const measure::Estimate& elapsed);

}  // namespace vyre::tune
