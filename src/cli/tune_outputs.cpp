#include "cli/tune_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "vyre/report/page.h"

namespace vyre::cli {
namespace {

report::Remembered remembered(const TunedProgram& program) {
  const store::Evidence& evidence = *program.decision.evidence;
  std::optional<double> default_ms;
  if (evidence.default_ns) default_ms = *evidence.default_ns / 1e6;
  return {.kernel = program.name,
          .configuration = program.configuration,
          .default_ms = default_ms,
          .tuned_ms = evidence.elapsed.ns / 1e6,
          .interval_ms = {evidence.elapsed.low / 1e6, evidence.elapsed.high / 1e6},
          .date = evidence.date};
}

}  // namespace

std::string results_path(const std::string& path, const std::string& program, bool several) {
  if (!several) return path;
  const std::filesystem::path whole(path);
  const std::string file = whole.filename().string();
  const std::size_t dot = std::min(file.find('.', 1), file.size());
  return (whole.parent_path() /
          fmt::format("{}-{}{}", file.substr(0, dot), program, file.substr(dot)))
      .string();
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
  std::ofstream out(path, std::ios::binary);
  out << report::html(page);
  out.flush();
  if (!out) return fail(ErrorKind::io, fmt::format("cannot write '{}'", path));
  return {};
}

}  // namespace vyre::cli
