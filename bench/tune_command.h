// `vyre` as a user calls it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "vyre/base/error.h"

namespace vyre::bench {

// What a call prints with --json. `arguments` are words for the shell, the first is the command;
// `variables` are put before the call. Its store, and the driver's files, are in `directory`.
[[nodiscard]] Result<nlohmann::json> run_vyre(const std::string& arguments,
                                              const std::filesystem::path& directory,
                                              const std::string& variables = "");
// The same with another `vyre`.
[[nodiscard]] Result<nlohmann::json> run_tool(const std::string& tool, const std::string& arguments,
                                              const std::filesystem::path& directory,
                                              const std::string& variables = "");
// `vyre tune`, with a store of its own, so that nothing is remembered.
[[nodiscard]] Result<nlohmann::json> run_tune(const std::string& arguments);

}  // namespace vyre::bench
