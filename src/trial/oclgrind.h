// A kernel on Oclgrind's simulator, which sees what a device hides: reads out of bounds, races,
// divergent barriers.
#pragma once

#include <optional>
#include <string>

#include "worker/session.h"

namespace vyre::trial {

// What the simulator found, or nothing. `library` is its driver. Nothing is found in a kernel that
// the simulator cannot finish within the limits; an error is one of the run.
[[nodiscard]] Result<std::optional<std::string>> run_under_oclgrind(const worker::Job& kernel,
                                                                    const std::string& library,
                                                                    worker::Options options);

}  // namespace vyre::trial
