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

Result<nlohmann::json> run_tune(const std::string& arguments) {
  const Directory directory;
  const auto text =
      output_of(fmt::format("XDG_CACHE_HOME='{0}' '{1}' tune {2} --json "
                            "2>'{0}/progress'",
                            directory.path().string(), VYRE_PROGRAM, arguments));
  if (!text) return Unexpected(text.error());
  auto all = nlohmann::json::parse(*text, nullptr, false);
  if (all.is_discarded()) return fail(ErrorKind::io, "vyre tune gave no result");
  return all;
}

}  // namespace vyre::bench
