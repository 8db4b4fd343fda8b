#include "command.h"

#include <cstdio>
#include <memory>

namespace vyre::bench {
namespace {

struct Close {
  void operator()(FILE* file) const { ::pclose(file); }
};

}  // namespace

Result<std::string> output_of(const std::string& command) {
  const std::unique_ptr<FILE, Close> pipe(::popen(command.c_str(), "r"));
  if (!pipe) return fail(ErrorKind::io, "cannot start a command");
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) {
    text += static_cast<char>(c);
  }
  return text;
}

}  // namespace vyre::bench
