#include "cli/tune_outputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>

#include "base/disk.h"
#include "formats/file.h"
#include "report/page.h"
#include "tune/results.h"

namespace vyre::cli {
namespace {

report::Remembered remembered(const TunedProgram& program) {
  const store::Evidence& evidence = *program.decision.evidence;
  report::Remembered row{.kernel = program.name,
                         .configuration = program.configuration,
                         .default_ms = {},
                         .tuned_ms = tune::in_ms(evidence.elapsed),
                         .speedup = {},
                         .date = evidence.date};
  if (!evidence.baseline) return row;
  row.default_ms = tune::in_ms(evidence.baseline->elapsed);
  row.speedup = evidence.baseline->speedup;
  return row;
}

// "kfac:1000x16" and "a/b.vy" as a part of a file's name.
std::string file_part(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c == ':' || c == '/'; }, '-');
  return text;
}

}  // namespace

std::vector<std::string> results_paths(const std::string& path,
                                       const std::vector<std::string>& programs) {
  if (programs.size() == 1) return {path};
  const std::filesystem::path whole(path);
  const std::string file = whole.filename().string();
  const std::size_t dot = std::min(file.find('.', 1), file.size());
  std::vector<std::string> paths;
  std::map<std::string, int> uses;
  for (const std::string& program : programs) {
    std::string name = file_part(program);
    if (const int use = ++uses[name]; use > 1) name += fmt::format("-{}", use);
    paths.push_back(
        (whole.parent_path() / fmt::format("{}-{}{}", file.substr(0, dot), name, file.substr(dot)))
            .string());
  }
  return paths;
}

Result<void> check_output(const std::string& option, const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path whole(path);
  const bool exists = std::filesystem::exists(whole, ignored);
  std::string problem;
  if (std::filesystem::is_directory(whole, ignored)) {
    problem = "it is a directory";
  } else if (access(exists ? path.c_str() : parent_of(whole).c_str(), W_OK) != 0) {
    problem = std::strerror(errno);
  }
  if (problem.empty()) return {};
  return fail(ErrorKind::io, fmt::format("{} {}: cannot write there: {}", option, path, problem));
}

Result<void> write_page(const std::string& path, const device::Adapter& adapter,
                        const std::vector<TunedProgram>& programs) {
  report::Page page{
      .device = adapter.name,
      .driver = adapter.driver,
      .version = VYRE_VERSION,
      .date = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())};
  for (const TunedProgram& program : programs) {
    if (program.results) {
      page.kernels.push_back(*program.results);
    } else {
      page.remembered.push_back(remembered(program));
    }
  }
  return formats::write_text(path, report::html(page));
}

}  // namespace vyre::cli
