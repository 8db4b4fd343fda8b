// tuned_tries_ratio: configurations that `vyre tune` tries in 15 s, against the tool of commit
// 3e2c326, which verified and measured every try in full. A sample of bench/programs, three of each
// half: sums along rows and in tiles, a stencil, rows by several loops, strides, squares in a nest.
// Without their permission to reorder, which the old tool does not know; both get the same text.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <regex>

#include "bench.h"
#include "command.h"
#include "directory.h"
#include "set.h"
#include "table.h"
#include "tune_command.h"
#include "tuned_side.h"

namespace vyre::bench {
namespace {

constexpr const char* old_commit = "3e2c326";
constexpr double tuning_seconds = 15;
constexpr std::string_view sample[] = {"matvec",     "gemm_scaled", "jacobi2d",
                                       "layer_norm", "transpose",   "pairwise_distances"};

// A copy of the program without its mark.
std::filesystem::path unmarked(const Entry& entry, const std::filesystem::path& directory) {
  std::ifstream file(program_path(entry));
  std::ofstream made(directory / "program.vy");
  for (std::string line; std::getline(file, line);) {
    if (!std::regex_match(line, std::regex(" *reassociate *"))) made << line << "\n";
  }
  return directory / "program.vy";
}

Result<double> count_tries(const std::string& tool, const Entry& entry) {
  VYRE_TRY(const ir::Program program, read_program(entry));
  VYRE_TRY(const Arguments data, inputs(entry, program));
  const Directory directory;
  const auto file = unmarked(entry, directory.path());
  VYRE_TRY(const auto all,
           run_tool(tool, tune_arguments(file, data, tuning_seconds, directory.path()),
                    directory.path()));
  const auto& rows = all.at("programs");
  const double tries = rows.empty() ? 0 : rows.at(0).value("evaluations", 0.0);
  if (tries > 0) return tries;
  return fail(ErrorKind::run, fmt::format("{}: {} tried nothing", entry.name, tool));
}

struct Tries {
  std::vector<double> ratios;
  std::string note;
};

Result<void> take_turn(const Entry& entry, const std::string& old_tool, Tries& into) {
  const bool old_first = into.ratios.size() % 2 == 0;  // so that drift favours neither
  const auto first = count_tries(old_first ? old_tool : VYRE_PROGRAM, entry);
  if (!first) return Unexpected(first.error());
  const auto second = count_tries(old_first ? VYRE_PROGRAM : old_tool, entry);
  if (!second) return Unexpected(second.error());
  const double before = old_first ? *first : *second, now = old_first ? *second : *first;
  into.ratios.push_back(now / before);
  into.note +=
      fmt::format("{}{} {:.0f} to {:.0f}", into.note.empty() ? "" : ", ", entry.name, before, now);
  return {};
}

// No rows where the old tool cannot be had; its script says why.
Result<std::vector<Row>> measure_tries() {
  VYRE_TRY(std::string tool, output_of(fmt::format("'{}' {}", VYRE_OLD_TOOL, old_commit)));
  while (tool.ends_with('\n')) tool.pop_back();
  if (tool.empty()) return std::vector<Row>{};
  Tries tries;
  for (const Entry& entry : programs()) {
    if (std::ranges::count(sample, entry.name) > 0) VYRE_CHECK(take_turn(entry, tool, tries));
  }
  return std::vector<Row>{
      {.name = "tuned_tries_ratio",
       .value = geometric_mean(tries.ratios),
       .target = 2,
       .better = Better::higher,
       .baseline = fmt::format("commit {}, 15 s for each program; geometric mean", old_commit),
       .note = tries.note}};
}

}  // namespace

Benchmark tries_speed() { return {.names = {"tuned_tries_ratio"}, .run = measure_tries}; }

}  // namespace vyre::bench
