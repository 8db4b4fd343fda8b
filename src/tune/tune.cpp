#include "vyre/tune/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tune/members.h"
#include "vyre/search/strategy.h"

namespace vyre::tune {
namespace {

double time_of(const Attempt& attempt) {
  return attempt.outcome.verdict == Verdict::correct ? attempt.outcome.measured->estimate_ns : 0;
}

class Run {
 public:
  Run(worker::Session& session, const Family& family, const Workload& workload,
      const TuneOptions& options, const Watch& watch, Clock& clock)
      : session_(session),
        family_(family),
        workload_(workload),
        options_(options),
        watch_(watch),
        clock_(clock),
        started_(clock.now()) {}

  Result<Tuning> tune() {
    auto strategy = search::make_strategy(options_.strategy, family_.space, options_.seed);
    if (!strategy) return std::unexpected(strategy.error());
    if (auto done = try_original(**strategy); !done) return std::unexpected(done.error());
    if (auto done = try_first(**strategy); !done) return std::unexpected(done.error());
    while (goes_on_ && !(*strategy)->done()) {
      for (const space::Index index : (*strategy)->ask(1)) {
        if (auto done = attempt(index, **strategy); !done) return std::unexpected(done.error());
      }
    }
    if (auto done = race(); !done) return std::unexpected(done.error());
    return std::move(tuning_);
  }

 private:
  // The original comes first: everything is compared with it.
  Result<void> try_original(search::Strategy& strategy) {
    auto members = Members::make(session_, family_, workload_, options_.truth);
    if (!members) return std::unexpected(members.error());
    members_.emplace(*std::move(members));
    if (auto done = attempt(family_.original, strategy); !done) return done;
    return members_->check_original(tuning_.attempts[0].outcome);
  }

  // What is known to be good must not be lost to a budget that is too small to find it again.
  Result<void> try_first(search::Strategy& strategy) {
    for (const space::Index index : options_.first) {
      if (stopped_) break;
      if (auto done = attempt_new(index, strategy); !done) return done;
    }
    for (const space::Index index : family_.promising) {
      if (!goes_on_) break;
      if (auto done = attempt_new(index, strategy); !done) return done;
    }
    return {};
  }

  Result<void> attempt_new(space::Index index, search::Strategy& strategy) {
    const bool known =
        std::ranges::find(tuning_.attempts, index, &Attempt::index) != tuning_.attempts.end();
    if (known || index >= family_.space.size()) return {};
    return attempt(index, strategy);
  }

  Result<void> attempt(space::Index index, search::Strategy& strategy) {
    const auto before = clock_.now();
    trial::EvaluateOptions how = options_.evaluate;
    if (best_) how.repeat.best_ns = time_of(tuning_.attempts[*best_]);
    auto outcome = members_->evaluate(index, how, clock_);
    if (!outcome) return std::unexpected(outcome.error());
    const auto now = clock_.now();
    tuning_.attempts.push_back({index, *std::move(outcome), now - started_});
    const Attempt& made = tuning_.attempts.back();
    const double time = time_of(made);
    if (time > 0 && (!best_ || time < time_of(tuning_.attempts[*best_]))) {
      best_ = tuning_.attempts.size() - 1;
    }
    ++verdicts_[static_cast<std::size_t>(made.outcome.verdict)];
    strategy.tell(index, {.verdict = made.outcome.verdict,
                          .time = time,
                          .noise = 0,
                          .cost = std::chrono::duration<double>(now - before).count()});
    report(made);
    return {};
  }

  void report(const Attempt& latest) {
    const std::size_t all = std::min<std::size_t>(options_.evaluations, family_.space.size());
    goes_on_ = tuning_.attempts.size() < all && latest.at < options_.time;
    if (!watch_) return;
    const bool wanted = watch_({.evaluated = tuning_.attempts.size(),
                                .evaluations = std::max(all, tuning_.attempts.size()),
                                .verdicts = verdicts_,
                                .elapsed = latest.at,
                                .left = std::max(options_.time - latest.at, {}),
                                .original = tuning_.attempts.data(),
                                .best = best_ ? &tuning_.attempts[*best_] : nullptr,
                                .latest = &latest,
                                .last = !goes_on_});
    stopped_ = stopped_ || !wanted;
    goes_on_ = goes_on_ && !stopped_;
  }

  // The original and the best attempts beside it.
  void choose_finalists() {
    std::vector<const Attempt*> correct;
    for (const Attempt& attempt : tuning_.attempts) {
      if (attempt.index != family_.original && time_of(attempt) > 0) correct.push_back(&attempt);
    }
    std::ranges::sort(correct, {}, [](const Attempt* attempt) { return time_of(*attempt); });
    tuning_.finalists = {family_.original};
    for (const Attempt* attempt : correct) {
      if (tuning_.finalists.size() > options_.finalists) break;
      tuning_.finalists.push_back(attempt->index);
    }
  }

  Result<void> race() {
    choose_finalists();
    std::vector<trial::Candidate> candidates;
    for (const space::Index index : tuning_.finalists) {
      auto candidate = members_->candidate(index);
      if (!candidate) return std::unexpected(candidate.error());
      candidates.push_back(*std::move(candidate));
    }
    auto report = trial::time(session_, candidates,
                              {.evaluate = options_.evaluate, .race = options_.race}, clock_);
    if (!report) return std::unexpected(report.error());
    tuning_.race = *std::move(report);
    const auto judgement = judge(tuning_.race);
    if (!judgement) return std::unexpected(judgement.error());
    tuning_.judgement = *judgement;
    return {};
  }

  worker::Session& session_;
  const Family& family_;
  const Workload& workload_;
  const TuneOptions& options_;
  const Watch& watch_;
  Clock& clock_;
  std::chrono::nanoseconds started_;
  std::optional<Members> members_;
  std::optional<std::size_t> best_;  // of the attempts
  std::array<std::size_t, verdict_kinds> verdicts_ = {};
  bool stopped_ = false;  // by the watch
  bool goes_on_ = true;
  Tuning tuning_;
};

}  // namespace

void count(std::span<const Attempt> attempts, Counters& counters) {
  counters.add(Count::evaluations, attempts.size());
  for (const Attempt& attempt : attempts) {
    if (const auto failed = count_of(attempt.outcome.verdict)) counters.add(*failed);
  }
}

Result<Tuning> tune(worker::Session& session, const Family& family, const Workload& workload,
                    const TuneOptions& options, const Watch& watch, Clock& clock) {
  return Run(session, family, workload, options, watch, clock).tune();
}

}  // namespace vyre::tune
