#include "cli/program_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "cli/print.h"
#include "trial/outcome.h"
#include "vyre/ir/text.h"

namespace vyre::cli {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

// One byte more than is accepted, so that the parser can refuse it; never all of a huge file.
Result<std::string> read_text(const std::string& path) {
  const std::unique_ptr<std::FILE, CloseFile> file(path == "-" ? stdin
                                                               : std::fopen(path.c_str(), "rb"));
  if (!file) return fail(ErrorKind::io, fmt::format("cannot open: {}", std::strerror(errno)));
  std::string text;
  std::array<char, 65536> chunk{};
  while (text.size() <= ir::max_text_bytes) {
    const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), file.get());
    text.append(chunk.data(), got);
    if (got < chunk.size()) break;
  }
  if (std::ferror(file.get()) != 0) {
    return fail(ErrorKind::io, fmt::format("cannot read: {}", std::strerror(errno)));
  }
  if (text.size() > ir::max_text_bytes) {
    return fail(ErrorKind::input, fmt::format("the text is too long: at most {} bytes are accepted",
                                              ir::max_text_bytes));
  }
  return text;
}

}  // namespace

std::expected<ir::Program, Problems> read_program(const std::string& file) {
  const auto text = read_text(file);
  if (!text) return std::unexpected(Problems{text.error()});
  return ir::parse(*text);
}

ExitStatus report(const std::string& file, const Problems& problems) {
  for (const Error& problem : problems) {
    print_message("{}:{}{}\n", file, problem.place.known() ? "" : " ", to_string(problem));
  }
  return status_of(problems.front());
}

Failure report_failure(const std::string& file, const Problems& problems) {
  const auto verdict = trial::verdict_of(problems.front());
  Failure made{.status = report(file, problems),
               .kind = std::string(verdict ? name_of(*verdict) : "input"),
               .reason = {}};
  for (const Error& problem : problems) {
    made.reason += (made.reason.empty() ? "" : "\n") + to_string(problem);
  }
  return made;
}

ExitStatus report(const Error& error) {
  print_message("vyre: {}\n", to_string(error));
  return status_of(error);
}

}  // namespace vyre::cli
