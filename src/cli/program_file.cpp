#include "cli/program_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/input.h"
#include "cli/print.h"
#include "trial/outcome.h"
#include "vyre/ir/text.h"

namespace vyre::cli {
namespace {

// One byte more than is accepted, so that the parser can refuse it; never all of a huge file.
Result<std::string> read_text(const std::string& path) {
  const auto file = path == "-" ? Descriptor(::dup(STDIN_FILENO)) : open_input(path);
  if (!file) return fail(ErrorKind::io, fmt::format("cannot open: {}", file.error()));
  auto text = read_up_to(*file, ir::max_text_bytes + 1);
  if (!text) return fail(ErrorKind::io, fmt::format("cannot read: {}", std::strerror(errno)));
  if (text->size() > ir::max_text_bytes) {
    return fail(ErrorKind::input, fmt::format("the text is too long: at most {} bytes are accepted",
                                              ir::max_text_bytes));
  }
  return *std::move(text);
}

}  // namespace

Result<ir::Program> read_program(const std::string& file, bool reassociate) {
  VYRE_TRY(const auto text, read_text(file));
  VYRE_TRY(auto program, ir::parse(text));
  program.reassociate |= reassociate;
  return program;
}

ExitStatus report(const std::string& file, const Error& error) {
  for (const Error& problem : error.all()) {
    print_message("{}:{}{}\n", file, problem.place.known() ? "" : " ", to_string(problem));
  }
  return status_of(error);
}

Reported report_failure(const std::string& file, const Error& error) {
  const auto verdict = trial::verdict_of(error);
  Reported made{.status = report(file, error),
                .kind = std::string(verdict ? name_of(*verdict) : "input"),
                .reason = to_string(error)};
  return made;
}

ExitStatus report(const Error& error) {
  print_message("vyre: {}\n", to_string(error));
  return status_of(error);
}

}  // namespace vyre::cli
