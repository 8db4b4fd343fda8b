// Runs the benchmarks whose names match --only, prints a table and writes it as JSON.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <regex>

#include "bench.h"

namespace vyre::bench {
namespace {

nlohmann::json to_json(const Row& row) {
  return {{"name", row.name},         {"value", row.value},
          {"target", row.target},     {"better", row.better == Better::higher ? "higher" : "lower"},
          {"baseline", row.baseline}, {"note", row.note}};
}

void print(const Row& row) {
  fmt::print("{:<24} {:>10.3f}  {} {:<8g} {:<7} {}{}\n", row.name, row.value,
             row.better == Better::higher ? ">=" : "<=", row.target, row.met() ? "met" : "MISSED",
             row.baseline, row.note.empty() ? "" : "; " + row.note);
  std::cout.flush();
}

std::vector<Benchmark> all_benchmarks() {
  return {
      launch_overhead(), text_speed(),      interpreter_speed(), race_ranking(),    race_ties(),
      isolation_cost(),  bandwidth(),       mathematics_speed(), enumerate_speed(), suggest_speed(),
      store_speed(),     tuned_dispatch(),  live_dispatch(),     live_speed(),      live_others(),
      live_copy(),       live_change(),     tuned_programs(),    front_speed(),     batch_speed(),
      heat_speed(),      tune_throughput(), programs_speed(),    tries_speed(),
#if VYRE_BENCH_PEERS
      kfac_speed(),      gemm_speed(),
#endif
  };
}

int run(const std::string& only, const std::string& json_path) {
  const std::regex filter(only);
  nlohmann::json rows = nlohmann::json::array();
  fmt::print("{:<24} {:>10}  {:<11} {:<7} {}\n", "name", "value", "target", "", "against");
  bool failed = false;
  for (const Benchmark& benchmark : all_benchmarks()) {
    const auto matches = [&](const std::string& name) { return std::regex_search(name, filter); };
    if (std::ranges::none_of(benchmark.names, matches)) continue;
    const auto result = benchmark.run();
    if (!result) {
      fmt::print(stderr, "vyre_bench: {}: {}\n", benchmark.names[0], to_string(result.error()));
      failed = true;
      continue;
    }
    for (const Row& row : *result) {
      print(row);
      rows.push_back(to_json(row));
    }
  }
  if (!json_path.empty()) std::ofstream(json_path) << rows.dump(2) << "\n";
  return failed ? 1 : 0;
}

}  // namespace
}  // namespace vyre::bench

int main(int argc, char** argv) {
  CLI::App app("Benchmarks of vyre against its peers", "vyre_bench");
  std::string only;
  std::string json_path;
  app.add_option("--only", only, "run only benchmarks whose name matches this regular expression");
  app.add_option("--json", json_path, "write the table to this file");
  CLI11_PARSE(app, argc, argv);
  try {
    return vyre::bench::run(only, json_path);
  } catch (const std::regex_error& e) {
    fmt::print(stderr, "vyre_bench: --only {}: {}\n", only, e.what());
    return 2;
  }
}
