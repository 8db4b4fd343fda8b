// live_vs_default, live_vs_best: programs of the demo that are tuned by their own calls, everything
// from the first call on included, with an empty store and an empty cache of the driver. The
// default's total is scaled from 300 calls before and 300 after, of short programs in rounds; the
// best is what `vyre tune --budget 60s` finds. live_others_*: the same for the programs of
// bench/live/programs, on which the settings of the search were chosen. live_copy_ratio: calls of a
// kernel with nothing to gain, over 60 s, to those without tuning.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench.h"
#include "directory.h"
#include "tune_command.h"

namespace vyre::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int some = 300;
constexpr int few = 3000;
constexpr int many = 30'000;

// Seconds for so many calls, by a run of some: the first call, which compiles, is counted once.
double scaled(const json& run, double calls) {
  const double first = run.at("first_call_s");
  const double rest = run.at("elapsed_s").get<double>() - first;
  return first + rest / (run.at("dispatches").get<double>() - 1) * (calls - 1);
}

Result<json> run_live(const fs::path& program, int calls, const fs::path& directory,
                      bool tuned_live) {
  const std::string cache = fmt::format("POCL_CACHE_DIR='{}'", directory.string());
  const std::string off = tuned_live ? "" : "VYRE_AUTOTUNER=off ";
  return run_vyre(fmt::format("live '{}' --dispatches {} --for 40m", program.string(), calls),
                  directory, off + cache);
}

struct Gained {
  std::string program;
  double vs_default = 0;  // of a few calls
  double live_few = 0;    // seconds
  double best_many = 0, live_many = 0;
};

Result<double> default_total(const fs::path& program, double calls) {
  const Directory empty;
  VYRE_TRY(const json run, run_live(program, some, empty.path(), false));
  return scaled(run, calls);
}

// The default before and after. A tenth of a second says little: short programs take more rounds.
Result<void> measure_few(const fs::path& program, Gained& gained) {
  constexpr std::size_t most_rounds = 7;
  constexpr double long_run = 10;  // seconds
  std::vector<double> ratios, seconds;
  double longest = 0;
  while (ratios.size() < (longest < long_run ? most_rounds : 1)) {
    VYRE_TRY(const double before, default_total(program, few));
    const Directory empty;
    VYRE_TRY(const json run, run_live(program, few, empty.path(), true));
    VYRE_TRY(const double after, default_total(program, few));
    seconds.push_back(run.at("elapsed_s"));
    ratios.push_back((before + after) / 2 / seconds.back());
    longest = std::max(before, after);
  }
  gained.vs_default = median(ratios);
  gained.live_few = median(seconds);
  return {};
}

Result<Gained> measure(const fs::path& program) {
  Gained gained{.program = program.stem().string()};
  VYRE_CHECK(measure_few(program, gained));

  const Directory tuned;
  VYRE_TRY(const json decided,
           run_vyre(fmt::format("tune '{}' --budget 60s", program.string()), tuned.path()));
  VYRE_TRY(const json first, run_live(program, few, tuned.path(), false));
  {
    const Directory empty;
    VYRE_TRY(const json run, run_live(program, many, empty.path(), true));
    gained.live_many = run.at("elapsed_s");
  }
  VYRE_TRY(const json second, run_live(program, few, tuned.path(), false));
  gained.best_many = (scaled(first, many) + scaled(second, many)) / 2;
  return gained;
}

double geometric_mean(const std::vector<double>& ratios) {
  double sum = 0;
  for (const double ratio : ratios) sum += std::log(ratio);
  return std::exp(sum / static_cast<double>(ratios.size()));
}

constexpr const char* copy_text = R"(program copy {
  uniform n: u32 = 4194304
  buffer x: f32[n] read
  buffer y: f32[n] write
  grid n
  workgroup 1024
  y[invocation.x] = x[invocation.x]
}
)";

// Calls in a minute against those of 40 s that is not tuned, half before and half after: the median
// of three rounds, because what memory gives changes from minute to minute.
Result<Row> copy_loss() {
  const Directory files;
  const fs::path program = files.path() / "copy.vy";
  std::ofstream(program) << copy_text;
  const auto rate = [&](bool live, int seconds) -> Result<double> {
    const Directory empty;
    VYRE_TRY(const json run, run_vyre(fmt::format("live '{}' --for {}s", program.string(), seconds),
                                      empty.path(), live ? "" : "VYRE_AUTOTUNER=off"));
    return run.at("dispatches").get<double>() / run.at("elapsed_s").get<double>();
  };
  std::vector<double> ratios;
  std::string note;
  for (int round = 0; round < 3; ++round) {
    VYRE_TRY(const double before, rate(false, 20));
    VYRE_TRY(const double live, rate(true, 60));
    VYRE_TRY(const double after, rate(false, 20));
    ratios.push_back(live / ((before + after) / 2));
    note +=
        fmt::format("{:.0f} calls a second, not tuned {:.0f} and {:.0f}; ", live, before, after);
  }
  return Row{.name = "live_copy_ratio",
             .value = median(ratios),
             .target = 0.95,
             .better = Better::higher,
             .baseline = "the same copy of 16 MiB, not tuned, 20 s before and 20 s after",
             .note = note};
}

struct Compared {
  std::vector<double> defaults, bests;  // what each gained
  std::string note_default, note_best;
};

Result<Compared> compare(const fs::path& folder) {
  std::vector<fs::path> programs;
  for (const auto& entry : fs::directory_iterator(folder)) programs.push_back(entry.path());
  std::ranges::sort(programs);
  Compared all;
  for (const fs::path& program : programs) {
    VYRE_TRY(const Gained gained, measure(program));
    const double vs_best = gained.best_many / gained.live_many;
    all.defaults.push_back(gained.vs_default);
    all.bests.push_back(vs_best);
    all.note_default +=
        fmt::format("{} {:.2f} ({:.1f} s) ", gained.program, gained.vs_default, gained.live_few);
    all.note_best +=
        fmt::format("{} {:.2f} ({:.1f} s) ", gained.program, vs_best, gained.live_many);
    fmt::print(stderr, "{}: {:.2f} of the default in {:.1f} s, {:.2f} of the best in {:.1f} s\n",
               gained.program, gained.vs_default, gained.live_few, vs_best, gained.live_many);
  }
  return all;
}

// `prefix` of the rows' names: live_vs_default and so on.
Result<std::vector<Row>> rows_of(const std::string& prefix, const fs::path& folder) {
  VYRE_TRY(const Compared all, compare(folder));
  return std::vector<Row>{
      Row{.name = prefix + "_vs_default",
          .value = *std::ranges::min_element(all.defaults),
          .target = 0.97,
          .better = Better::higher,
          .baseline = "as it is, 3,000 calls; the worst program",
          .note = all.note_default},
      Row{.name = prefix + "_vs_default_mean",
          .value = geometric_mean(all.defaults),
          .target = 1.5,
          .better = Better::higher,
          .baseline = "the same, the geometric mean",
          .note = {}},
      Row{.name = prefix + "_vs_best",
          .value = geometric_mean(all.bests),
          .target = 0.7,
          .better = Better::higher,
          .baseline = "what `vyre tune --budget 60s` finds, 30,000 calls; the geometric mean",
          .note = all.note_best}};
}

}  // namespace

Benchmark live_speed() {
  return {{"live_vs_default", "live_vs_default_mean", "live_vs_best"},
          [] { return rows_of("live", VYRE_PLAIN_EXAMPLES); }};
}

Benchmark live_others() {
  return {{"live_others_vs_default", "live_others_vs_default_mean", "live_others_vs_best"},
          [] { return rows_of("live_others", VYRE_LIVE_PROGRAMS); }};
}

Benchmark live_copy() {
  return {{"live_copy_ratio"}, []() -> Result<std::vector<Row>> {
            VYRE_TRY(auto row, copy_loss());
            return std::vector<Row>{std::move(row)};
          }};
}

}  // namespace vyre::bench
