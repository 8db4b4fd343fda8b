// What a tuning run found, as result files and report pages take it.
#pragma once

#include <chrono>
#include <string>

#include "formats/results.h"
#include "tune/family.h"
#include "tune/tune.h"
#include "vyre/device/device.h"

namespace vyre::tune {

// The attempts in their order, with times on the basis on which they were measured. What an attempt
// took beyond building, verifying and measuring counts as the framework's, the search included.
// `started` is when the run was.
[[nodiscard]] formats::Results results_of(const Family& family, const Tuning& tuning,
                                          const device::Adapter& adapter, std::string strategy,
                                          std::chrono::sys_seconds started);

[[nodiscard]] measure::Estimate in_ms(const measure::Estimate& elapsed);

}  // namespace vyre::tune
