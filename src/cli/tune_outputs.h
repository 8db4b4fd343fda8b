// The files that `vyre tune` writes beside the store: results and a report page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/tune_summary.h"
#include "vyre/base/error.h"
#include "vyre/device/device.h"

namespace vyre::cli {

// "out.json" for one program; of several each has its own, "out-saxpy.json", "out-saxpy-2.json".
[[nodiscard]] std::vector<std::string> results_paths(const std::string& path,
                                                     const std::vector<std::string>& programs);

[[nodiscard]] Result<void> write_page(const std::string& path, const device::Adapter& adapter,
                                      std::span<const TuneRow> rows);

}  // namespace vyre::cli
