#include "cli/tune_run.h"

#include <unistd.h>

#include "cli/print.h"
#include "cli/store_files.h"
#include "cli/tune_progress.h"
#include "tune/results.h"

namespace vyre::cli {
TuneRun::TuneRun(trial::Evaluator evaluator, const Environment& environment, bool again)
    : evaluator_(std::move(evaluator)),
      again_(again),
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
  return program.save_failed ? check_failed : done;
}

Result<tune::Decided> TuneRun::decide(const Problem& problem, const tune::TuneOptions& how) {
  std::optional<TuneProgress> shown;
  tune::DecideOptions options{
      .again = again_, .needs_evidence = true, .store = &store_, .counters = &counters_};
  options.loop.tune = how;
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

void TuneRun::say_result(const TunedProgram& program) const {
  const bool gained = program.tuning->judgement.gain == tune::Gain::faster;
  print_message("{}: {}{}: {}\n", program.name, gain_text(program),
                gained ? " times the default" : "", program.configuration);
}

}  // namespace vyre::cli
