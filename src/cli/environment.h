// Everything vyre takes from the environment, read once in main. No other layer looks at it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace vyre::cli {

// A variable that is not set is empty, and an empty one counts as not set; an optional one tells
// the two apart.
struct Environment {
  std::string home;            // HOME
  std::string xdg_cache_home;  // XDG_CACHE_HOME
  std::string path;            // PATH
  std::string icd_vendors;     // OCL_ICD_VENDORS: where the OpenCL loader looks for drivers
  std::string pocl_cache_dir;  // POCL_CACHE_DIR
  std::optional<std::string> autotuner;  // VYRE_AUTOTUNER: see tune/mode.h
  bool colour = false;                   // standard output is a terminal and NO_COLOR is not set
};

[[nodiscard]] Environment read_environment();

// What the store's directory is in: see store::directory.
[[nodiscard]] std::filesystem::path cache_directory(const Environment& environment);

// Where PoCL keeps compiled kernels. It offers no device if it cannot write there.
[[nodiscard]] std::filesystem::path pocl_cache_directory(const Environment& environment);

}  // namespace vyre::cli
