// `vyre simulate`: replays searches on recorded data, and scores them.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <memory>
#include <thread>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/program_file.h"
#include "cli/replays.h"
#include "cli/text.h"

namespace vyre::cli {
namespace {

struct SimulateOptions {
  std::vector<std::string> files;
  std::vector<std::string> strategies;
  std::size_t seeds = 10;
  std::size_t evaluations = 0;
  std::size_t budget = 0;
  std::size_t jobs = 0;
  std::string trace;
  bool compare = false;
};

// What a score cannot know of; the scores are of what is in the file.
void print_notes(const std::string& file, const formats::Recorded& recorded) {
  if (recorded.is_cut) {
    print_message(
        "{}: note: the cache is not closed: its run was cut off or goes on; what is "
        "scored are the {} configurations in it\n",
        file, recorded.space.size());
  }
  const double all = recorded.combinations.value_or(0);
  if (recorded.space.size() < all) {
    print_message(
        "{}: note: it has {} of the {:.15g} combinations of its parameters' values; the "
        "others are not valid or were not measured, and are not scored\n",
        file, recorded.space.size(), all);
  }
}

// What is wrong is printed.
Expected<std::vector<Dataset>, ExitStatus> read_datasets(const std::vector<std::string>& files,
                                                         std::size_t budget) {
  std::vector<Dataset> datasets;
  for (const std::string& file : files) {
    auto recorded = formats::read_recorded(file);
    if (!recorded && recorded.error().place.known()) {
      return Unexpected(report(file, {recorded.error()}));
    }
    if (!recorded) return Unexpected(report(recorded.error()));
    auto scorer = search::scorer_of(*recorded, budget);
    if (!scorer) return Unexpected(report(file, {scorer.error()}));
    print_notes(file, *recorded);
    datasets.push_back({std::move(*recorded), std::move(*scorer)});
  }
  return datasets;
}

Result<Plan> plan_of(const SimulateOptions& options, const space::Space& any) {
  Plan plan{.strategies = options.strategies,
            .seeds = options.seeds,
            .evaluations = options.evaluations,
            .jobs = options.jobs};
  if (plan.jobs == 0) plan.jobs = std::max(1U, std::thread::hardware_concurrency());
  if (options.compare) {
    for (const search::StrategyInfo& info : search::strategies()) {
      plan.strategies.push_back(info.name);
    }
  }
  if (plan.strategies.empty()) plan.strategies.push_back("natural");
  // A wrong name is refused before the work, which relies on it.
  for (const std::string& strategy : plan.strategies) {
    if (const auto made = search::make_strategy(strategy, any, 0); !made) {
      return Unexpected(made.error());
    }
  }
  return plan;
}

// On a terminal only, in place.
void show_progress(std::size_t done_runs, std::size_t all) {
  if (isatty(STDERR_FILENO) == 0) return;
  print_message("\r{} of {} runs", done_runs, all);
  if (done_runs == all) print_message("\r\x1b[K");
}

std::string traces(const std::vector<Dataset>& datasets, const std::vector<Replay>& replays) {
  std::string text;
  for (const Replay& replay : replays) text += trace_line(datasets[replay.dataset], replay);
  return text;
}

bool found_something(const Dataset& dataset, const Replay& replay) {
  return std::ranges::any_of(replay.trace,
                             [&](search::Index index) { return dataset.scorer.time(index) > 0; });
}

ExitStatus simulate(const SimulateOptions& options) {
  std::vector<OutputFile> outputs;
  if (!options.trace.empty()) outputs.push_back({"--trace", options.trace});
  if (auto can = check_outputs(outputs, options.files); !can) return report(can.error());
  const auto datasets = read_datasets(options.files, options.budget);
  if (!datasets) return datasets.error();
  const auto plan = plan_of(options, datasets->front().recorded.space);
  if (!plan) return report(plan.error());
  const std::vector<Replay> replays = replay_all(*datasets, *plan, show_progress);
  write_result(table(summary(*datasets, *plan, replays)));
  if (!options.trace.empty()) {
    if (const auto written = write_file(options.trace, traces(*datasets, replays)); !written) {
      return report(written.error());
    }
  }
  const bool found = std::ranges::any_of(replays, [&](const Replay& replay) {
    return found_something((*datasets)[replay.dataset], replay);
  });
  if (!found) print_message("vyre: no run found a valid configuration\n");
  return found ? done : check_failed;
}

std::string strategy_help() {
  std::string text = "which configuration to try next; may be given several times:";
  for (const search::StrategyInfo& info : search::strategies()) {
    text += fmt::format("\n{}: {}", info.name, info.summary);
  }
  return text;
}

}  // namespace

Command simulate_command() {
  return {
      .name = "simulate",
      .summary = "Replay a search on recorded measurements, and score it",
      .example =
          "vyre simulate gemm-A100.json.gz\n"
          "vyre simulate recorded/*.json.gz --compare --seeds 20\n"
          "vyre simulate gemm-A100.json --strategy natural:start=10 --evals 200 --trace runs.jsonl",
      .declare = [](CLI::App& app) -> Action {
        const auto options = std::make_shared<SimulateOptions>();
        app.add_option("data", options->files, "T4 results or Kernel Tuner caches, also .gz")
            ->required();
        add_repeated(app, "--strategy", options->strategies, strategy_help());
        app.add_option("--seeds", options->seeds, "runs of each strategy on each space")
            ->capture_default_str()
            ->check(CLI::Range(1, 100'000));
        add_count(app, "--evals", options->evaluations,
                  "evaluations in each run; if not given, until the optimum is found or the "
                  "budget of the score is used up");
        add_count(app, "--budget", options->budget,
                  "evaluations to score over; if not given, as many as random search needs "
                  "for 95 % of the way from the median to the optimum");
        app.add_option("--trace", options->trace,
                       "write the evaluations of each run to this file, a JSON object per line");
        add_count(app, "--jobs", options->jobs, "runs at the same time; one per core if not given");
        app.add_flag("--compare", options->compare, "all strategies side by side");
        return [options](const Environment&) { return simulate(*options); };
      },
  };
}

}  // namespace vyre::cli
