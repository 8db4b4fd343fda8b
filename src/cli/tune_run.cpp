#include "cli/tune_run.h"

#include <unistd.h>

#include <algorithm>

#include "cli/print.h"
#include "cli/store_files.h"
#include "cli/tune_progress.h"
#include "tune/reordering.h"
#include "tune/results.h"

namespace vyre::cli {
namespace {

// What permission to reorder must gain before anybody is told, and how much of the budget it may
// cost to know.
constexpr double worth_telling = 1.2;
constexpr int reordering_share = 5;
constexpr std::chrono::nanoseconds shortest_reordering = std::chrono::seconds(2);
constexpr std::chrono::nanoseconds longest_reordering = std::chrono::seconds(3);
constexpr double slow_default_ns = 0.2e9;

}  // namespace

TuneRun::TuneRun(trial::Evaluator evaluator, const Environment& environment, const Options& options)
    : evaluator_(std::move(evaluator)),
      options_(options),
      store_(store_directory(environment), store::owner_of(evaluator_.adapter())) {
  for (const std::string& problem : store_.problems()) print_message("vyre: {}\n", problem);
}

ExitStatus TuneRun::tune(const Problem& problem, const tune::TuneOptions& how) {
  auto decided = decide(problem, how);
  if (!decided) {
    Reported failure = report_failure(problem.name, {decided.error()});
    add(FailedProgram{problem.name, problem.label, std::move(failure.reason)});
    return failure.status;
  }
  for (const std::string& note : decided->notes) print_message("{}: {}\n", problem.label, note);
  add(problem, how, *std::move(decided));
  const TunedProgram& program = *rows_.back();
  if (program.tuning) say_result(program);
  if (program.tuning) try_reordering(problem, how);
  return program.save_failed ? check_failed : done;
}

ExitStatus TuneRun::explain(const Problem& problem) {
  if (!rows_.back() || interrupted()) return done;
  TunedProgram& program = *rows_.back();
  auto made = explanation_of(problem, program.decision.evidence->elapsed.value, adapter(), roof_);
  if (!made) return report(problem.name, made.error());
  program.explanation = *std::move(made);
  return done;
}

Result<tune::Decided> TuneRun::decide(const Problem& problem, const tune::TuneOptions& how) {
  std::optional<TuneProgress> shown;
  tune::DecideOptions options{
      .again = options_.again, .needs_evidence = true, .store = &store_, .counters = &counters_};
  options.loop.tune = how;
  options.loop.reference.tolerance = options_.tolerance;
  const tune::Bench bench{.evaluator = [&]() -> Result<trial::Evaluator*> { return &evaluator_; },
                          .workload = [&]() -> Result<tune::Workload> {
                            shown.emplace(problem.family, isatty(STDERR_FILENO) == 1);
                            return problem.workload;
                          }};
  options.watch = [&](const tune::Progress& progress) {
    shown->show(progress);
    return !interrupt_.requested();
  };
  return tune::decide(problem.family, bench, options);
}

void TuneRun::add(const Problem& problem, const tune::TuneOptions& how, tune::Decided decided) {
  TunedProgram program{.file = problem.name,
                       .name = problem.label,
                       .decision = *std::move(decided.decision),
                       .configuration = tune::changed_text(problem.family, decided.member),
                       .remembered = decided.remembered,
                       .not_remembered = std::move(decided.not_remembered),
                       .save_failed = decided.save_failed};
  if (decided.tuning) {
    program.results =
        tune::results_of(problem.family, *decided.tuning, adapter(), how.strategy, decided.started);
    program.results->kernel = problem.label;
    program.results->sizes = problem.sizes;
    program.tuning = std::move(decided.tuning);
  }
  rows_.emplace_back(std::move(program));
}

// Not where the default is slow: it would have to run again.
void TuneRun::try_reordering(const Problem& problem, const tune::TuneOptions& how) {
  TunedProgram& program = *rows_.back();
  const auto& baseline = program.decision.evidence->baseline;
  if (!problem.reordered || !baseline || baseline->elapsed.value > slow_default_ns) return;
  if (interrupt_.requested()) return;
  const auto gain = tune::reordering_gain(
      evaluator_, *problem.reordered, problem.workload, program.decision,
      {.time = std::clamp(how.time / reordering_share, shortest_reordering, longest_reordering),
       .seed = how.seed,
       .stop = [&] { return interrupt_.requested(); }});
  if (!gain) return print_message("{}: {}\n", problem.label, gain.error().message);
  program.reordering_gain = *gain;
  if (*gain < worth_telling) return;
  print_message(
      "{}: {:.1f} times faster if sums may be reordered: write a line `reassociate` into the "
      "program, or --reassociate\n",
      problem.label, *gain);
}

void TuneRun::say_result(const TunedProgram& program) const {
  const bool gained = program.tuning->judgement.gain == tune::Gain::faster;
  print_message("{}: {}{}: {}\n", program.name, gain_text(program),
                gained ? " times the default" : "", program.configuration);
}

}  // namespace vyre::cli
