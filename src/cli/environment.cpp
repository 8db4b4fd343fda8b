#include "cli/environment.h"

#include <unistd.h>

#include <cstdlib>

#include "vyre/store/store.h"

namespace vyre::cli {
namespace {

std::optional<std::string> variable_if_set(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string variable(const char* name) { return variable_if_set(name).value_or(""); }

}  // namespace

Environment read_environment() {
  return {
      .home = variable("HOME"),
      .xdg_cache_home = variable("XDG_CACHE_HOME"),
      .path = variable("PATH"),
      .icd_vendors = variable("OCL_ICD_VENDORS"),
      .pocl_cache_dir = variable("POCL_CACHE_DIR"),
      .autotuner = variable_if_set("VYRE_AUTOTUNER"),
      .colour = isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR").empty(),
  };
}

std::filesystem::path cache_directory(const Environment& environment) {
  return store::directory(environment.xdg_cache_home, environment.home).parent_path();
}

// In the order in which PoCL itself looks.
std::filesystem::path pocl_cache_directory(const Environment& environment) {
  if (!environment.pocl_cache_dir.empty()) return environment.pocl_cache_dir;
  const std::filesystem::path below = std::filesystem::path("pocl") / "kcache";
  if (!environment.xdg_cache_home.empty()) return environment.xdg_cache_home / below;
  if (!environment.home.empty()) {
    return std::filesystem::path(environment.home) / ".cache" / below;
  }
  return "/tmp" / below;
}

}  // namespace vyre::cli
