#include "contests.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "table.h"

namespace vyre::bench {
namespace {

std::string notes_of(const Contests& contests, Half half) {
  std::vector<std::string> notes;
  for (const Contest& c : contests.held) {
    if (c.entry->half == half) notes.push_back(short_row(c));
  }
  return fmt::format("{}", fmt::join(notes, "; "));
}

// "40 programs, 14 with OpenBLAS (0.61), 39 with Halide (0.95)"
std::string who_took_part(const Contests& contests) {
  std::string text = fmt::format("{} programs", contests.held.size());
  for (const char* rival : {"OpenBLAS", "Halide"}) {
    const auto ratios = ratios_to(contests.held, rival);
    text += fmt::format(", {} with {} ({:.2f})", ratios.size(), rival, geometric_mean(ratios));
  }
  for (const std::string& failure : contests.failures) text += "; FAILED " + failure;
  return text;
}

Row mean_row(std::string name, const std::vector<double>& ratios, double target,
             std::string baseline, std::string note) {
  return {.name = std::move(name),
          .value = geometric_mean(ratios),
          .target = target,
          .better = Better::higher,
          .baseline = std::move(baseline),
          .note = std::move(note)};
}

Row worst_row(const Contests& contests) {
  const auto worst =
      std::ranges::min_element(contests.held, {}, [](const Contest& c) { return c.best().ratio; });
  const bool failed = !contests.failures.empty();
  return {.name = "programs_worst",
          .value = failed ? 0 : worst->best().ratio,
          .target = 0.4,
          .better = Better::higher,
          .baseline = "the same, the least of all",
          .note = failed ? contests.failures.front() : short_row(*worst)};
}

Row half_row(const Contests& contests, Half half, std::string name) {
  return mean_row(std::move(name), ratios_to_best(contests.held, half), 0,
                  fmt::format("the same, those that are {}", name_of(half)),
                  notes_of(contests, half));
}

void add_gemm(const Contests& contests, std::vector<Row>& rows) {
  for (const Contest& c : contests.held) {
    const Rival* openblas = c.entry->name == "gemm_1024" ? c.find("OpenBLAS") : nullptr;
    if (openblas == nullptr) continue;
    rows.push_back(mean_row("plain_gemm_1024_vs_openblas", {openblas->ratio}, 0.7,
                            "OpenBLAS sgemm on all cores", short_row(c)));
  }
}

}  // namespace

Contests hold_all(std::span<const Entry* const> entries, device::Device& device,
                  const ContestOptions& options,
                  const std::function<void(const Contest&)>& after_each) {
  Contests made;
  for (const Entry* entry : entries) {
    auto contest = hold(*entry, device, options);
    if (!contest) {
      made.failures.push_back(fmt::format("{}: {}", entry->name, to_string(contest.error())));
      continue;
    }
    after_each(*contest);
    made.held.push_back(*std::move(contest));
  }
  return made;
}

std::vector<Row> rows_of(const Contests& contests) {
  const std::vector<Contest>& held = contests.held;
  std::vector<Row> rows;
  rows.push_back(mean_row("programs_vs_openmp", ratios_to(held, "OpenMP"), 1.0,
                          "g++ -O3 -march=native -fopenmp -ffast-math, all cores; geometric mean",
                          who_took_part(contests)));
  rows.push_back(mean_row("programs_vs_best_peer", ratios_to_best(held), 0.85,
                          "the best of OpenMP, OpenBLAS and Halide; geometric mean",
                          who_took_part(contests)));
  rows.push_back(worst_row(contests));
  rows.push_back(half_row(contests, Half::open, "programs_open_vs_best_peer"));
  rows.push_back(half_row(contests, Half::held_back, "programs_held_back_vs_best_peer"));
  const auto memory = bandwidths(held);
  rows.push_back(mean_row("programs_memory_vs_copy", memory, 0.8,
                          "a copy of as many bytes by all cores; geometric mean",
                          fmt::format("{} programs that memory bounds", memory.size())));
  rows.push_back(half_row(contests, Half::added, "programs_added_vs_best_peer"));
  add_gemm(contests, rows);
  return rows;
}

std::vector<std::string> row_names() {
  return {
      "programs_vs_openmp",          "programs_vs_best_peer",           "programs_worst",
      "programs_open_vs_best_peer",  "programs_held_back_vs_best_peer", "programs_memory_vs_copy",
      "programs_added_vs_best_peer", "plain_gemm_1024_vs_openblas"};
}

}  // namespace vyre::bench
