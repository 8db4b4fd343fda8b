#include "cli/tune_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

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

Result<void> write_page(const std::string& path, const device::Adapter& adapter,
                        std::span<const TuneRow> rows) {
  report::Page page{
      .device = adapter.name,
      .driver = adapter.driver,
      .version = VYRE_VERSION,
      .date = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())};
  for (const TuneRow& row : rows) {
    if (!row) continue;
    if (row->results) {
      page.kernels.push_back(*row->results);
    } else {
      page.remembered.push_back(remembered(*row));
    }
  }
  return formats::write_text(path, report::html(page));
}

}  // namespace vyre::cli
