#include "vyre/tune/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tune/members.h"
#include "vyre/search/strategy.h"

namespace vyre::tune {
namespace {

search::Failure failure_of(trial::Verdict verdict) {
  switch (verdict) {
    case trial::Verdict::correct:
      return search::Failure::none;
    case trial::Verdict::compile:
      return search::Failure::compile;
    case trial::Verdict::timeout:
      return search::Failure::timeout;
    case trial::Verdict::runtime:
      return search::Failure::runtime;
    case trial::Verdict::correctness:
      return search::Failure::correctness;
    case trial::Verdict::constraints:
      return search::Failure::constraints;
  }
  return search::Failure::runtime;
}

double time_of(const Attempt& attempt) {
  return attempt.outcome.verdict == trial::Verdict::correct ? attempt.outcome.measured->estimate_ns
                                                            : 0;
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

  Result<void> try_first(search::Strategy& strategy) {
    std::vector<space::Index> first = options_.first;
    first.insert(first.end(), family_.promising.begin(), family_.promising.end());
    for (const space::Index index : first) {
      if (!goes_on_) break;
      const bool known =
          std::ranges::find(tuning_.attempts, index, &Attempt::index) != tuning_.attempts.end();
      if (known || index >= family_.space.size()) continue;
      if (auto done = attempt(index, strategy); !done) return done;
    }
    return {};
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
    strategy.tell(index, {.failure = failure_of(made.outcome.verdict),
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
                                .evaluations = all,
                                .verdicts = verdicts_,
                                .elapsed = latest.at,
                                .left = std::max(options_.time - latest.at, {}),
                                .original = tuning_.attempts.data(),
                                .best = best_ ? &tuning_.attempts[*best_] : nullptr,
                                .latest = &latest,
                                .last = !goes_on_});
    goes_on_ = goes_on_ && wanted;
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
    judge();
    return {};
  }

  void judge() {
    const trial::Row& original = tuning_.race.rows[0];
    const std::size_t winner = tuning_.race.winner.value_or(0);
    tuning_.winner = tuning_.finalists[winner];
    tuning_.tied =
        winner == 0 || (original.standing && original.standing->rank != measure::Rank::slower);
    if (tuning_.tied) tuning_.winner = family_.original;
    if (winner == 0) return;
    if (original.standing) {
      tuning_.speedup = original.standing->ratio;
      tuning_.speedup_interval = original.standing->ratio_interval;
      return;
    }
    // Surely slower after its first samples: it did not race.
    const trial::Row& best = tuning_.race.rows[winner];
    const bool cpu = tuning_.race.basis == measure::Basis::cpu;
    const auto& [low, high] = cpu ? original.cpu_interval : original.time_interval;
    const auto& [best_low, best_high] = cpu ? best.cpu_interval : best.time_interval;
    tuning_.speedup = cpu ? original.cpu_ns / best.cpu_ns : original.time_ns / best.time_ns;
    tuning_.speedup_interval = {low / best_high, high / best_low};
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
