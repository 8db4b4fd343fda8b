// tune_throughput_ratio: configurations that `vyre tune` tries in equal time, with a pool of
// workers and with one, each program in turn; the median over the programs of the demo, whose
// spaces of thousands are not exhausted in that time.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "bench.h"
#include "tune_command.h"

namespace vyre::bench {
namespace {

constexpr const char* budget = "15s";

std::vector<std::string> plain_programs() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(VYRE_PLAIN_EXAMPLES)) {
    if (entry.path().extension() == ".vy") files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

Result<double> tries(const std::string& file, int workers) {
  const auto all =
      run_tune(fmt::format("'{}' --budget {} --seed 1 --workers {}", file, budget, workers));
  if (!all) return Unexpected(all.error());
  const auto& programs = all->at("programs");
  if (programs.empty()) return fail(ErrorKind::run, file + " could not be tuned");
  return programs.at(0).at("evaluations").get<double>();
}

Result<std::vector<Row>> run() {
  std::vector<double> ratios;
  std::string note;
  for (const std::string& file : plain_programs()) {
    const bool pool_first = ratios.size() % 2 == 0;  // so that drift favours neither
    const auto first = tries(file, pool_first ? 0 : 1);
    const auto second = tries(file, pool_first ? 1 : 0);
    const auto& one = pool_first ? second : first;
    const auto& pool = pool_first ? first : second;
    if (!one || !pool) return Unexpected((one ? pool : one).error());
    ratios.push_back(*pool / *one);
    note += fmt::format("{}{} {:.0f} to {:.0f}", note.empty() ? "" : ", ",
                        std::filesystem::path(file).stem().string(), *one, *pool);
  }
  return std::vector<Row>{{.name = "tune_throughput_ratio",
                           .value = median(ratios),
                           .target = 1.3,
                           .better = Better::higher,
                           .baseline = "the same loop with one worker, 15 s for each program",
                           .note = note}};
}

}  // namespace

Benchmark tune_throughput() { return {.names = {"tune_throughput_ratio"}, .run = run}; }

}  // namespace vyre::bench
