// The OpenCL drivers (ICDs) registered on this machine: what the loader is told to load.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/environment.h"

namespace vyre::cli {

struct Driver {
  std::string registered;  // the file that names it, or the variable's own text
  std::string library;
};

// Where the loader looks: $OCL_ICD_VENDORS (a directory, one .icd file or a library), else
// /etc/OpenCL/vendors.
[[nodiscard]] std::filesystem::path drivers_place(const Environment& environment);

[[nodiscard]] std::vector<Driver> registered_drivers(const Environment& environment);

// Why the driver's library cannot be loaded, or empty if it can. Tried in another process.
[[nodiscard]] std::string why_not_loadable(const Driver& driver);

}  // namespace vyre::cli
