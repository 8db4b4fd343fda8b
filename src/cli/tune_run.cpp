#include "cli/tune_run.h"

#include <unistd.h>

#include "cli/print.h"
#include "cli/store_files.h"
#include "cli/tune_progress.h"
#include "ir/facts.h"
#include "tune/remember.h"
#include "tune/results.h"

namespace vyre::cli {
namespace {

// What the interpreter does in some ten seconds.
constexpr std::uint64_t most_operations = 1'500'000'000;

tune::Truth truth_for(const Problem& problem) {
  const auto original = problem.family.member(problem.family.original);
  if (!original) return tune::Truth::interpreter;
  const auto facts = ir::facts(*original, problem.workload.uniforms);
  if (!facts) return tune::Truth::interpreter;
  const std::uint64_t operations = facts->integer_ops + facts->float_ops + facts->special_ops +
                                   facts->comparisons + facts->loads + facts->stores;
  if (operations <= most_operations) return tune::Truth::interpreter;
  print_message(
      "{}: {:.2g} operations are too many for the interpreter; what the program computes on "
      "the device counts as right\n",
      problem.label, static_cast<double>(operations));
  return tune::Truth::original;
}

}  // namespace

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
                       .name = problem.label,
                       .decision = *found.decision,
                       .configuration = tune::changed_text(problem.family, *member)});
  return true;
}

Result<tune::Tuning> TuneRun::search(const Problem& problem, const store::Found& found) {
  tune::TuneOptions how = how_;
  how.truth = truth_for(problem);
  if (found.decision) {
    const auto guess = tune::member_of(problem.family, *found.decision);
    if (guess) how.first.push_back(*guess);
  }
  TuneProgress shown(problem.family, isatty(STDERR_FILENO) == 1);
  return tune::tune(session_, problem.family, problem.workload, how,
                    [&](const tune::Progress& progress) {
                      shown.show(progress);
                      return !interrupt_.wished();
                    });
}

// What was not compared with anything is no decision: the next run should search.
void TuneRun::remember(const Problem& problem, const tune::Tuning& tuning,
                       const store::Decision& decision) {
  if (tuning.attempts.size() == 1 && problem.family.space.size() > 1) {
    print_message("{}: only the default was tried; nothing is remembered\n", problem.label);
    return;
  }
  const auto saved = store_.record(decision);
  if (!saved) {
    print_message("vyre: the decision on {} is not saved: {}\n", problem.label,
                  saved.error().message);
    return;
  }
  for (const std::string& note : store::notes(*saved)) print_message("vyre: {}\n", note);
}

Result<void> TuneRun::add_tuned(const Problem& problem, tune::Tuning tuning,
                                std::chrono::sys_seconds started) {
  const auto choice = tune::choice_of(tuning, how_.strategy);
  auto decision = tune::decision_of(problem.family, problem.dispatch, choice);
  if (!decision) return std::unexpected(decision.error());
  decision->evidence->date = started;
  remember(problem, tuning, *decision);
  auto results =
      tune::results_of(problem.family, tuning, session_.adapter(), how_.strategy, started);
  results.kernel = problem.label;
  results.sizes = problem.sizes;
  programs_.push_back({.file = problem.name,
                       .name = problem.label,
                       .decision = *std::move(decision),
                       .configuration = tune::changed_text(problem.family, tuning.winner()),
                       .tuning = std::move(tuning),
                       .results = std::move(results)});
  const bool gained = programs_.back().tuning->judgement.gain == tune::Gain::faster;
  print_message("{}: {}{}: {}\n", problem.label, gain_text(programs_.back()),
                gained ? " times the default" : "", programs_.back().configuration);
  return {};
}

}  // namespace vyre::cli
