#include "tune_command.h"

#include <fmt/format.h>

#include "command.h"
#include "directory.h"

namespace vyre::bench {

Result<nlohmann::json> run_tool(const std::string& tool, const std::string& arguments,
                                const std::filesystem::path& directory,
                                const std::string& variables) {
  VYRE_TRY(const auto text,
           output_of(fmt::format("XDG_CACHE_HOME='{0}' {1} '{2}' {3} --json 2>'{0}/progress'",
                                 directory.string(), variables, tool, arguments)));
  auto all = nlohmann::json::parse(text, nullptr, false);
  if (all.is_discarded()) {
    return fail(ErrorKind::io, fmt::format("vyre {} gave no result", arguments));
  }
  return all;
}

Result<nlohmann::json> run_vyre(const std::string& arguments,
                                const std::filesystem::path& directory,
                                const std::string& variables) {
  return run_tool(VYRE_PROGRAM, arguments, directory, variables);
}

Result<nlohmann::json> run_tune(const std::string& arguments) {
  const Directory directory;
  return run_vyre("tune " + arguments, directory.path());
}

}  // namespace vyre::bench
