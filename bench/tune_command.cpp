#include "tune_command.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "directory.h"

namespace vyre::bench {
namespace {

struct Close {
  void operator()(FILE* file) const { ::pclose(file); }
};

Result<std::string> output_of(const std::string& command) {
  const std::unique_ptr<FILE, Close> pipe(::popen(command.c_str(), "r"));
  if (!pipe) return fail(ErrorKind::io, "cannot start a command");
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) {
    text += static_cast<char>(c);
  }
  return text;
}

}  // namespace

Result<nlohmann::json> run_vyre(const std::string& arguments,
                                const std::filesystem::path& directory,
                                const std::string& variables) {
  VYRE_TRY(const auto text,
           output_of(fmt::format("XDG_CACHE_HOME='{0}' {1} '{2}' {3} --json 2>'{0}/progress'",
                                 directory.string(), variables, VYRE_PROGRAM, arguments)));
  auto all = nlohmann::json::parse(text, nullptr, false);
  if (all.is_discarded()) {
    return fail(ErrorKind::io, fmt::format("vyre {} gave no result", arguments));
  }
  return all;
}

Result<nlohmann::json> run_tune(const std::string& arguments) {
  const Directory directory;
  return run_vyre("tune " + arguments, directory.path());
}

}  // namespace vyre::bench
