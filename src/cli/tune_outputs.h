// The files that `vyre tune` writes beside the store: results and a report page.
#pragma once

#include <string>
#include <vector>

#include "cli/tune_summary.h"
#include "vyre/base/error.h"
#include "vyre/device/device.h"

namespace vyre::cli {

// "out.json" for one program; of several each has its own, "out-saxpy.json".
[[nodiscard]] std::string results_path(const std::string& path, const std::string& program,
                                       bool several);

[[nodiscard]] Result<void> write_page(const std::string& path, const device::Adapter& adapter,
                                      const std::vector<TunedProgram>& programs);

}  // namespace vyre::cli
