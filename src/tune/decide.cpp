#include "tune/decide.h"

#include <fmt/format.h>

#include <utility>

#include "primitives/calls.h"
#include "tune/remember.h"
#include "tune/start.h"
#include "tune/sweep.h"

namespace vyre::tune {
namespace {

Origin origin_of(store::Match match) {
  switch (match) {
    case store::Match::exact:
      return Origin::exact;
    case store::Match::nearest_size:
      return Origin::nearest_size;
    case store::Match::other_adapter:
      return Origin::other_adapter;
    case store::Match::nothing:
      return Origin::original;
  }
  return Origin::original;
}

// That the attempts timed.
std::uint64_t launches_of(const Tuning& tuning) {
  std::uint64_t launches = 0;
  const auto add = [&](const std::vector<measure::Sample>& samples) {
    for (const measure::Sample& sample : samples) launches += sample.launches;
  };
  for (const Attempt& attempt : tuning.attempts) {
    if (!attempt.outcome.measured) continue;
    add(attempt.outcome.measured->warm_up);
    add(attempt.outcome.measured->samples);
  }
  return launches;
}

class Workflow {
 public:
  Workflow(const Family& family, const Bench& bench, const DecideOptions& options, Clock& clock)
      : family_(family), bench_(bench), options_(options), clock_(clock) {
    decided_.member = family.baseline;
  }

  Result<Decided> run() {
    const store::Found found = look_up();
    if (is_wanted(found) && take(found)) return std::move(decided_);
    // With one member there is nothing to choose.
    const bool stays = !searches(options_.mode) || family_.space.size() == 1;
    if (stays && !options_.again && !options_.needs_evidence) return std::move(decided_);
    if (auto done = tune(found); !done) {
      count_failure(done.error());
      return Unexpected(done.error());
    }
    return std::move(decided_);
  }

 private:
  store::Found look_up() {
    if (options_.store == nullptr) return {};
    store::Found found = options_.store->lookup(family_.dispatch);
    count(count_of(found.match));
    return found;
  }

  // Only what was measured with this driver, for these sizes, makes a search needless.
  [[nodiscard]] bool is_wanted(const store::Found& found) const {
    if (!found.decision || options_.again) return false;
    if (options_.needs_evidence && !found.decision->evidence) return false;
    const bool certain = found.match == store::Match::exact && !found.other_driver;
    return certain || options_.mode == Mode::stored;
  }

  bool take(const store::Found& found) {
    const auto member = member_of(family_, *found.decision);
    // The short form is a workgroup, whether or not the family has it.
    if (!member && found.decision->evidence) {
      note(fmt::format("the stored decision ({}) is not used: {}", to_string(found.match),
                       member.error().message));
      return false;
    }
    decided_.origin = origin_of(found.match);
    decided_.member = member.value_or(family_.baseline);
    decided_.decision = *found.decision;
    decided_.remembered = true;
    return true;
  }

  Result<void> tune(const store::Found& found) {
    const auto workload = bench_.workload();
    if (!workload) return Unexpected(workload.error());
    const auto evaluator = bench_.evaluator();
    if (!evaluator) return Unexpected(evaluator.error());
    decided_.started = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    auto tuning = tune::tune(**evaluator, family_, *workload, loop_options(found, **evaluator),
                             options_.watch, clock_);
    if (!tuning) return Unexpected(tuning.error());
    if (const std::string less = (*evaluator)->problem(); !less.empty()) note(less);
    count_run(*tuning);
    auto decision = decision_of(family_, tuning->winner(), tuning->judgement, strategy());
    if (!decision) return Unexpected(decision.error());
    decision->evidence->date = decided_.started;
    decided_.tuning = *std::move(tuning);
    if (bench_.accept) {
      if (auto usable = bench_.accept(decided_.tuning->winner()); !usable) return usable;
    }
    decided_.member = decided_.tuning->winner();
    decided_.decision = *std::move(decision);
    record();
    return {};
  }

  // A guess from the store comes first, then what runs where nothing is decided: no decision may be
  // slower than that. Then what was good for other programs.
  [[nodiscard]] LoopOptions loop_options(const store::Found& found,
                                         const trial::Evaluator& evaluator) const {
    LoopOptions loop = options_.loop;
    loop.promising = promising_members(family_, options_.store);
    if (options_.mode == Mode::sweep) {
      loop.only = swept_members(family_, evaluator.adapter().limits.max_workgroup);
    }
    const auto guess = found.decision
                           ? member_of(family_, *found.decision)
                           : Result<space::Index>(fail(ErrorKind::input, "nothing is known"));
    if (family_.usual) loop.first.insert(loop.first.begin(), *family_.usual);
    if (guess && options_.mode != Mode::sweep) loop.first.insert(loop.first.begin(), *guess);
    return loop;
  }

  [[nodiscard]] std::string strategy() const {
    return options_.mode == Mode::sweep ? "sweep" : options_.loop.tune.strategy;
  }

  [[nodiscard]] std::string why_not_compared() const {
    if (decided_.tuning->judgement.gain == Gain::unknown) {
      return "the default failed in the race and one other is left";
    }
    return decided_.tuning->attempts.size() == 1 ? "only the default was tried"
                                                 : "nothing but the default was correct";
  }

  void record() {
    const bool compared = decided_.tuning->judgement.compared;
    if (compared || decided_.member != family_.baseline) decided_.origin = Origin::tuned;
    if (!compared) return note_not_remembered(why_not_compared() + "; nothing is remembered");
    if (options_.store == nullptr) return;
    const auto saved = options_.store->record(*decided_.decision);
    decided_.save_failed = !saved;
    if (!saved) {
      return note_not_remembered("the decision is not saved: " + saved.error().message);
    }
    decided_.remembered = true;
    for (const std::string& said : store::notes(*saved)) note(said);
  }

  void note_not_remembered(const std::string& why) {
    decided_.not_remembered = why;
    note(why);
  }

  void note(std::string text) { decided_.notes.push_back(std::move(text)); }

  void count(Count what, std::uint64_t more = 1) {
    if (options_.counters != nullptr) options_.counters->add(what, more);
  }

  void count_run(const Tuning& tuning) {
    count(Count::tunings);
    count(Count::evaluations, tuning.attempts.size());
    for (const Attempt& attempt : tuning.attempts) {
      if (const auto failed = count_of(attempt.outcome.verdict)) count(*failed);
    }
    if (!family_.primitive.empty()) {
      primitives::call_counter(family_.primitive).count(launches_of(tuning));
    }
  }

  // A wrong call is nobody's failure.
  void count_failure(const Error& error) {
    if (error.kind == ErrorKind::input) return;
    const auto verdict = trial::verdict_of(error);
    const auto what = verdict ? count_of(*verdict) : std::nullopt;
    count(what.value_or(Count::runtime_failures));
  }

  const Family& family_;
  const Bench& bench_;
  const DecideOptions& options_;
  Clock& clock_;
  Decided decided_;
};

}  // namespace

Result<Decided> decide(const Family& family, const Bench& bench, const DecideOptions& options,
                       Clock& clock) {
  return Workflow(family, bench, options, clock).run();
}

}  // namespace vyre::tune
