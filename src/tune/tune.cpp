#include "tune/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <span>

#include "vyre/search/strategy.h"

namespace vyre::tune {
namespace {

using trial::Evaluated;

constexpr std::chrono::nanoseconds shortest = std::chrono::milliseconds(1);

// The baseline is slow if a launch takes so long.
constexpr std::chrono::nanoseconds slow_launch = std::chrono::milliseconds(250);

// What runs so much longer than the best so far is given up before it is verified; not sooner than
// after this, which is what a new worker costs.
constexpr double hopeless = 25;
constexpr auto least_limit = std::chrono::milliseconds(1000);

// What needs more than this part of the budget to be compiled is given up, so that the budget does
// not go to few members; not where others take nearly as long.
constexpr std::int64_t most_builds = 8;  // in a budget
constexpr std::int64_t slow_build = 4;   // times as long as the quickest

double time_of(const trial::Outcome& outcome) {
  return outcome.verdict == Verdict::correct ? outcome.measured->estimate_ns : 0;
}

// The relative standard error of the time, by its 95 % interval.
double noise_of(const measure::Measurement& measured) {
  constexpr double deviations = 2 * 1.96;
  return (measured.interval.high - measured.interval.low) / deviations / measured.estimate_ns;
}

search::Observation observation_of(const trial::Outcome& outcome) {
  const bool correct = outcome.verdict == Verdict::correct;
  return {.verdict = outcome.verdict,
          .time = time_of(outcome),
          .noise = correct ? noise_of(*outcome.measured) : 0,
          .cost = std::chrono::duration<double>(outcome.costs.total()).count()};
}

// The contents as members share them: what is only written starts as a canary.
Workload with_canaries(const Family& family, Workload workload) {
  const auto accesses = family.members->accesses();
  const std::size_t count = std::min(accesses.size(), workload.buffers.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (accesses[i] != Access::write) continue;
    workload.buffers[i] = trial::canary(workload.buffers[i]->size());
  }
  return workload;
}

class Loop {
 public:
  Loop(trial::Evaluator& evaluator, const Family& family, const Workload& workload,
       const LoopOptions& options, const Watch& watch, Clock& clock)
      : evaluator_(evaluator),
        family_(family),
        workload_(with_canaries(family, workload)),
        options_(options),
        watch_(watch),
        clock_(clock),
        started_(clock.now()),
        last_(started_),
        limits_(evaluator.limits()) {}
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  // However it ends, the next run must not be given what this one asked for.
  ~Loop() {
    evaluator_.discard();
    evaluator_.set_limits(limits_);
  }

  Result<Tuning> run() {
    auto strategy =
        search::make_strategy(options_.tune.strategy, family_.space, options_.tune.seed);
    if (!strategy) return Unexpected(strategy.error());
    strategy_ = *std::move(strategy);
    for (const Attempt& attempt : options_.before) {
      submitted_.insert(attempt.index);
      add(attempt);
    }
    if (auto done = try_baseline(); !done) return Unexpected(done.error());
    if (auto done = try_known(); !done) return Unexpected(done.error());
    if (auto done = search(); !done) return Unexpected(done.error());
    if (options_.finalists > 0) VYRE_CHECK(race());
    return std::move(tuning_);
  }

 private:
  // What ends a list of members, beside its end.
  enum class Bound : std::uint8_t { none, evaluations, budget };

  // Something that was asked for; with an outcome if it needs no worker to know that.
  struct Pending {
    space::Index index = 0;
    std::optional<trial::Outcome> outcome;
  };
  struct Finalist {
    space::Index index = 0;
    Evaluated evaluated;
  };

  // It comes first: everything is compared with it.
  Result<void> try_baseline() {
    if (options_.expected) {
      expected_ = *options_.expected;
      return {};
    }
    VYRE_TRY(const auto candidate,
             family_.members->candidate(family_.baseline, workload_, evaluator_.language()));
    evaluator_.warm_up(candidate.kernel);
    VYRE_TRY(const auto reference, family_.members->reference(workload_, options_.reference));
    auto ran = evaluator_.run(candidate);
    if (!ran) return baseline_failed(ran.error());
    const device::Timing first = ran->output.timing;
    auto expected = reference.expected(std::move(ran->output));
    if (!expected) return fail(ErrorKind::run, why_baseline_fails("correctness", expected.error()));
    expected_ = *std::move(expected);
    tuning_.accepted = reference.rule(expected_);
    return measure_baseline(std::move(ran->evaluated), first);
  }

  // One launch of a slow one is enough to begin with: the race has more.
  Result<void> measure_baseline(Evaluated evaluated, const device::Timing& first) {
    if (!submitted_.insert(family_.baseline).second) return {};
    if (std::chrono::nanoseconds(first.wall_ns) >= slow_launch) {
      evaluated.take(first, options_.evaluate);
    } else {
      VYRE_CHECK(evaluated.measure(options_.evaluate, clock_));
    }
    const trial::Outcome& outcome = evaluated.outcome();
    if (outcome.verdict != Verdict::correct) {
      return fail(ErrorKind::run,
                  why_baseline_fails(name_of(outcome.verdict), {ErrorKind::run, outcome.reason}));
    }
    finish(family_.baseline, outcome, clock_.now() - last_ - outcome.costs.total());
    keep({family_.baseline, std::move(evaluated)});
    return {};
  }

  [[nodiscard]] Result<void> baseline_failed(const Error& error) const {
    const auto verdict = trial::verdict_of(error);
    if (!verdict) return Unexpected(error);
    return fail(ErrorKind::run, why_baseline_fails(name_of(*verdict), error));
  }

  [[nodiscard]] std::string why_baseline_fails(std::string_view verdict, const Error& why) const {
    return fmt::format("{} as it is fails ({}): {}", family_.name, verdict, why.message);
  }

  // What is known to be good must not be lost to a budget that is too small to find it again.
  Result<void> try_known() {
    if (auto done = try_all(options_.first, Bound::none); !done) return done;
    if (options_.only) return try_all(*options_.only, Bound::evaluations);
    return try_all(options_.promising, Bound::budget);
  }

  Result<void> try_all(std::span<const space::Index> members, Bound bound) {
    while (!members.empty() && may_go_on(bound)) {
      shorten_limits(bound);
      const std::size_t most = bound == Bound::budget ? batch_size() : batch_left(bound);
      for (std::size_t made = 0; made < most && !members.empty(); members = members.subspan(1)) {
        if (submit(members.front())) ++made;
      }
      if (auto done = finish_pending(); !done) return done;
    }
    return {};
  }

  Result<void> search() {
    while (goes_on_ && !options_.only && !strategy_->done()) {
      shorten_limits(Bound::budget);
      for (const space::Index index : strategy_->ask(batch_size())) submit(index);
      if (auto done = finish_pending(); !done) return done;
    }
    return {};
  }

  // Requires: nothing is pending.
  void shorten_limits(Bound bound) {
    evaluator_.set_limits(
        {.build = bound == Bound::budget ? build_limit() : limits_.build, .run = run_limit()});
  }

  [[nodiscard]] std::chrono::milliseconds run_limit() const {
    const auto best = best_time();
    if (!best) return limits_.run;
    const std::chrono::duration<double, std::nano> most(*best * hopeless);
    if (most >= limits_.run) return limits_.run;
    const auto limit = std::chrono::ceil<std::chrono::milliseconds>(most);
    return std::min(limits_.run, std::max(limit, least_limit));
  }

  [[nodiscard]] std::chrono::milliseconds build_limit() const {
    if (!quickest_) return limits_.build;
    const auto most = std::max(options_.tune.time / most_builds, *quickest_ * slow_build);
    if (most >= limits_.build) return limits_.build;
    return std::max(std::chrono::ceil<std::chrono::milliseconds>(most), least_limit);
  }

  // As many as keep all workers busy although some take longer than others.
  [[nodiscard]] std::size_t batch_limit() const {
    const std::size_t workers = evaluator_.workers();
    return workers == 1 ? 1 : 2 * workers;
  }

  // Not more than are left to do.
  [[nodiscard]] std::size_t batch_left(Bound bound) const {
    if (bound == Bound::none) return batch_limit();
    const std::size_t tried = tuning_.attempts.size();
    return std::min(batch_limit(), std::max(options_.tune.evaluations, tried + 1) - tried);
  }

  [[nodiscard]] bool may_go_on(Bound bound) const {
    if (stopped_ || bound == Bound::none) return !stopped_;
    return bound == Bound::budget ? goes_on_ : tuning_.attempts.size() < options_.tune.evaluations;
  }

  // Towards the end not more than there is time for, by what an attempt took so far.
  [[nodiscard]] std::size_t batch_size() const {
    if (tuning_.attempts.empty()) return 1;
    const Attempt& first = tuning_.attempts.front();
    const Attempt& latest = tuning_.attempts.back();
    const auto others = static_cast<std::int64_t>(tuning_.attempts.size() - 1);
    const auto each = others == 0 ? first.outcome.costs.total() : (latest.at - first.at) / others;
    const auto in_time = (options_.tune.time - latest.at) / std::max(each, shortest);
    return std::min(batch_left(Bound::budget),
                    static_cast<std::size_t>(std::max<std::int64_t>(in_time, 1)));
  }

  // Whether it is new, and so will be an attempt.
  bool submit(space::Index index) {
    if (index >= family_.space.size() || !submitted_.insert(index).second) return false;
    auto candidate = family_.members->candidate(index, workload_, evaluator_.language());
    if (candidate) {
      if (candidate->expected.empty()) candidate->expected = expected_;
      trial::EvaluateOptions how = options_.evaluate;
      how.again_if_crowded = evaluator_.limits() == limits_;
      evaluator_.submit(*std::move(candidate), how);
      pending_.push_back({index, {}});
    } else {
      pending_.push_back({index, trial::Outcome{.verdict = Verdict::constraints,
                                                .reason = candidate.error().message}});
    }
    return true;
  }

  // In the order of submission, so that a seed gives one run.
  Result<void> finish_pending() {
    while (!pending_.empty() && !stopped_) {
      const Pending next = std::move(pending_.front());
      pending_.pop_front();
      const auto own = clock_.now() - last_;
      if (next.outcome) {
        finish(next.index, *next.outcome, own);
        continue;
      }
      auto evaluated = evaluator_.next(best_time());
      if (!evaluated) return Unexpected(evaluated.error());
      finish(next.index, evaluated->outcome(), own);
      keep({next.index, *std::move(evaluated)});
    }
    if (stopped_) evaluator_.discard();
    pending_.clear();
    return {};
  }

  [[nodiscard]] std::optional<double> best_time() const {
    if (!best_) return {};
    return time_of(tuning_.attempts[*best_].outcome);
  }

  void finish(space::Index index, const trial::Outcome& outcome, std::chrono::nanoseconds own) {
    last_ = clock_.now();
    add({.index = index, .outcome = outcome, .at = last_ - started_, .framework = own});
    report(tuning_.attempts.back());
  }

  void add(Attempt attempt) {
    const trial::Outcome& outcome = attempt.outcome;
    const double time = time_of(outcome);
    if (time > 0 && (!best_ || time < *best_time())) best_ = tuning_.attempts.size();
    const auto prepared = outcome.costs.build + outcome.costs.verify;
    if (time > 0 && (!quickest_ || prepared < *quickest_)) quickest_ = prepared;
    ++verdicts_[static_cast<std::size_t>(outcome.verdict)];
    strategy_->tell(attempt.index, observation_of(outcome));
    tuning_.attempts.push_back(std::move(attempt));
  }

  void report(const Attempt& latest) {
    const std::size_t all = std::min<std::size_t>(options_.tune.evaluations, family_.space.size());
    goes_on_ = tuning_.attempts.size() < all && latest.at < options_.tune.time;
    if (!watch_) return;
    const bool wanted = watch_({.evaluated = tuning_.attempts.size(),
                                .evaluations = std::max(all, tuning_.attempts.size()),
                                .verdicts = verdicts_,
                                .elapsed = latest.at,
                                .left = std::max(options_.tune.time - latest.at, {}),
                                .baseline = options_.expected ? nullptr : tuning_.attempts.data(),
                                .best = best_ ? &tuning_.attempts[*best_] : nullptr,
                                .latest = &latest,
                                .last = !goes_on_ && pending_.empty() && tried_first()});
    stopped_ = stopped_ || !wanted;
    goes_on_ = goes_on_ && !stopped_;
  }

  // What is tried whatever the budget is done, or there is none.
  [[nodiscard]] bool tried_first() const {
    return stopped_ || std::ranges::all_of(options_.first, [&](space::Index index) {
             return index >= family_.space.size() || submitted_.contains(index);
           });
  }

  // The baseline and the best beside it stay built for the race.
  void keep(Finalist made) {
    if (made.index != family_.baseline && time_of(made.evaluated.outcome()) <= 0) return;
    finalists_.push_back(std::move(made));
    std::ranges::stable_sort(finalists_.begin() + 1, finalists_.end(), {},
                             [](const auto& one) { return time_of(one.evaluated.outcome()); });
    if (finalists_.size() > options_.finalists + 1) finalists_.pop_back();
  }

  // By then nothing is hopeless.
  Result<void> race() {
    evaluator_.set_limits(limits_);
    std::vector<Evaluated> entrants;
    for (Finalist& finalist : finalists_) {
      tuning_.finalists.push_back(finalist.index);
      entrants.push_back(std::move(finalist.evaluated));
    }
    auto report = trial::race(entrants, evaluator_.adapter(),
                              {.evaluate = options_.evaluate, .race = options_.race}, clock_);
    if (!report) return Unexpected(report.error());
    tuning_.race = *std::move(report);
    const auto judgement = judge(tuning_.race);
    if (!judgement) return Unexpected(judgement.error());
    tuning_.judgement = *judgement;
    return {};
  }

  trial::Evaluator& evaluator_;
  const Family& family_;
  const Workload workload_;
  const LoopOptions& options_;
  const Watch& watch_;
  Clock& clock_;
  std::chrono::nanoseconds started_;
  std::chrono::nanoseconds last_;  // when the attempt before was done
  const worker::Limits limits_;    // that it began with
  std::unique_ptr<search::Strategy> strategy_;
  std::vector<trial::Expected> expected_;
  std::set<space::Index> submitted_;
  std::deque<Pending> pending_;
  std::vector<Finalist> finalists_;
  std::optional<std::size_t> best_;                   // of the attempts
  std::optional<std::chrono::nanoseconds> quickest_;  // to be built and verified
  std::array<std::size_t, verdict_kinds> verdicts_ = {};
  bool stopped_ = false;  // by the watch
  bool goes_on_ = true;
  Tuning tuning_;
};

}  // namespace

Result<Tuning> tune(trial::Evaluator& evaluator, const Family& family, const Workload& workload,
                    const LoopOptions& options, const Watch& watch, Clock& clock) {
  return Loop(evaluator, family, workload, options, watch, clock).run();
}

}  // namespace vyre::tune
