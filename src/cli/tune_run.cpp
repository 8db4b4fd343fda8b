#include "cli/tune_run.h"

#include <unistd.h>

#include "cli/print.h"
#include "cli/store_commands.h"
#include "cli/time_text.h"
#include "cli/tune_progress.h"
#include "vyre/tune/remember.h"
#include "vyre/tune/results.h"

namespace vyre::cli {

TuneRun::TuneRun(worker::Session session, const Environment& environment, tune::TuneOptions how,
                 const TuneRunOptions& options)
    : session_(std::move(session)),
      how_(std::move(how)),
      options_(options),
      store_(store_directory(environment), store::owner_of(session_.adapter())) {
  for (const std::string& problem : store_.problems()) print_message("vyre: {}\n", problem);
}

Result<void> TuneRun::tune(const Problem& problem) {
  const store::Found found = store_.lookup(problem.dispatch);
  counters_.add(tune::count_of(found.match));
  if (!options_.again && add_remembered(problem, found)) return {};
  const auto started = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  auto tuning = search(problem, found);
  if (!tuning) return std::unexpected(tuning.error());
  counters_.add(tune::Count::tunings);
  tune::count(tuning->attempts, counters_);
  return add_tuned(problem, *std::move(tuning), started);
}

bool TuneRun::add_remembered(const Problem& problem, const store::Found& found) {
  if (found.match != store::Match::exact || found.other_driver) return false;
  const auto member = tune::member_of(problem.family, *found.decision);
  if (!member || !found.decision->evidence) return false;
  programs_.push_back({.file = problem.name,
                       .name = problem.family.name,
                       .decision = *found.decision,
                       .configuration = changed_text(problem.family, *member)});
  return true;
}

Result<tune::Tuning> TuneRun::search(const Problem& problem, const store::Found& found) {
  tune::TuneOptions how = how_;
  if (found.decision) {
    const auto guess = tune::member_of(problem.family, *found.decision);
    if (guess) how.first.push_back(*guess);
  }
  TuneProgress shown(problem.family.name, problem.family.space, isatty(STDERR_FILENO) == 1);
  return tune::tune(session_, problem.family, problem.workload, how,
                    [&](const tune::Progress& progress) {
                      shown.show(progress);
                      return !interrupt_.wished();
                    });
}

Result<void> TuneRun::add_tuned(const Problem& problem, tune::Tuning tuning,
                                std::chrono::sys_seconds started) {
  auto choice = tune::choice_of(tuning, how_.strategy);
  if (!choice) return std::unexpected(choice.error());
  auto decision = tune::decision_of(problem.family, problem.dispatch, *choice);
  if (!decision) return std::unexpected(decision.error());
  decision->evidence->date = started;
  const auto saved = store_.record(*decision);
  if (!saved) {
    print_message("vyre: the decision on {} is not saved: {}\n", problem.family.name,
                  saved.error().message);
  } else {
    for (const std::string& note : store::notes(*saved)) print_message("vyre: {}\n", note);
  }
  const std::string changed = changed_text(problem.family, tuning.winner);
  print_message("{}: {} times the default: {}\n", problem.family.name,
                ratio_text(tuning.speedup, tuning.speedup_interval), changed);
  auto results =
      tune::results_of(problem.family, tuning, session_.adapter(), how_.strategy, started);
  programs_.push_back({.file = problem.name,
                       .name = problem.family.name,
                       .decision = *std::move(decision),
                       .configuration = changed,
                       .tuning = std::move(tuning),
                       .results = std::move(results)});
  return {};
}

}  // namespace vyre::cli
