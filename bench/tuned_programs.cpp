// tuned_*: what `vyre tune` gains on the programs of the demo, each as one would first write it
// with the default workgroup: time of the program as it is / time of what was chosen, from the race
// at the end of the same run. A choice that is tied with the default is the default: 1.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "bench.h"
#include "tune_command.h"

namespace vyre::bench {
namespace {

struct Gain {
  double speedup = 1;
  std::string note;
};

Gain gain_of(const nlohmann::json& row) {
  const bool tied = row.at("tied");
  const double speedup = tied ? 1.0 : row.at("speedup").get<double>();
  const auto& interval = row.at("speedup_interval");
  std::string choice;
  for (const auto& [name, value] : row.at("configuration").items()) {
    choice +=
        fmt::format(" {}={}", name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return {speedup, fmt::format("{:.3g} ms before, {:.2f} .. {:.2f}{}, {} tried,{}",
                               row.at("default_ns").get<double>() / 1e6,
                               interval.at(0).get<double>(), interval.at(1).get<double>(),
                               tied ? ", tied" : "", row.at("evaluations").get<int>(), choice)};
}

// By the program's name.
Result<std::map<std::string, Gain>> tune_all() {
  const auto all =
      run_tune(fmt::format("'{}'/*.vy --primitive kfac:1000x16 --budget 15s", VYRE_PLAIN_EXAMPLES));
  if (!all) return Unexpected(all.error());
  std::map<std::string, Gain> gains;
  for (const auto& row : all->at("programs")) gains[row.at("program")] = gain_of(row);
  return gains;
}

Result<std::vector<Row>> run() {
  const auto gains = tune_all();
  if (!gains) return Unexpected(gains.error());
  struct Goal {
    const char* name;
    const char* program;
    double target;
  };
  std::vector<Row> rows;
  for (const auto& [name, program, target] : {Goal{"tuned_transpose", "transpose", 2},
                                              {"tuned_stencil3d", "stencil3d", 2},
                                              {"tuned_reduce", "reduce", 10},
                                              {"tuned_gemm", "gemm", 5}}) {
    const auto found = gains->find(program);
    if (found == gains->end()) return fail(ErrorKind::run, fmt::format("{} failed", program));
    rows.push_back({.name = name,
                    .value = found->second.speedup,
                    .target = target,
                    .better = Better::higher,
                    .baseline = "the plain program, workgroup 64 x 1 x 1",
                    .note = found->second.note});
  }
  const auto worst =
      std::ranges::min_element(*gains, {}, [](const auto& gain) { return gain.second.speedup; });
  rows.push_back({.name = "tuned_worst",
                  .value = worst->second.speedup,
                  .target = 0.97,
                  .better = Better::higher,
                  .baseline = "the same, the least of all programs of the demo",
                  .note = fmt::format("{} of {} programs: {}", worst->first, gains->size(),
                                      worst->second.note)});
  return rows;
}

}  // namespace

Benchmark tuned_programs() {
  return {
      .names = {"tuned_transpose", "tuned_stencil3d", "tuned_reduce", "tuned_gemm", "tuned_worst"},
      .run = run};
}

}  // namespace vyre::bench
