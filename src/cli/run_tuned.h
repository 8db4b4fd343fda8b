// `vyre run --tuned`: the program runs as the store says, or as tuning finds at this dispatch.
#pragma once

#include <string>

#include "cli/environment.h"
#include "cli/run_inputs.h"
#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/ir/program.h"

namespace vyre::cli {

// Runs the program once, on and into the inputs' buffers, in the mode of VYRE_AUTOTUNER. Says where
// its configuration came from; `stats` prints the counters.
[[nodiscard]] Result<std::string> run_tuned(device::Device& device, const ir::Program& program,
                                            RunInputs& inputs, bool stats,
                                            const Environment& environment);

}  // namespace vyre::cli
