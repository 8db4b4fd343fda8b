#include "tune/results.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace vyre::tune {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;
using Seconds = std::chrono::duration<double>;

double in_ms(std::chrono::nanoseconds time) { return Milliseconds(time).count(); }
double in_ms(double ns) { return ns / 1e6; }

formats::Cost cost_of(const trial::Costs& costs, std::chrono::nanoseconds framework) {
  return {.compile_ms = in_ms(costs.build),
          .verification_ms = in_ms(costs.verify),
          .benchmark_ms = in_ms(costs.measure),
          .framework_ms = in_ms(framework)};
}

void set_times(formats::Tried& tried, const measure::Measurement& measured) {
  for (const measure::Sample& sample : measured.samples) {
    tried.runs_ms.push_back(in_ms(measure::value(sample, measured.basis)));
  }
  if (tried.verdict != Verdict::correct) return;
  tried.time_ms = in_ms(measured.estimate_ns);
  tried.interval_ms = {in_ms(measured.interval.low), in_ms(measured.interval.high)};
}

formats::Tried tried_of(const space::Space& space, const Attempt& attempt) {
  formats::Tried tried{.values = space.values(attempt.index),
                       .verdict = attempt.outcome.verdict,
                       .reason = attempt.outcome.reason,
                       .cost = cost_of(attempt.outcome.costs, attempt.framework),
                       .at_s = Seconds(attempt.at).count()};
  if (attempt.outcome.measured) set_times(tried, *attempt.outcome.measured);
  return tried;
}

std::optional<std::size_t> attempt_of(const Tuning& tuning, space::Index index) {
  const auto found = std::ranges::find(tuning.attempts, index, &Attempt::index);
  if (found == tuning.attempts.end()) return {};
  return static_cast<std::size_t>(found - tuning.attempts.begin());
}

std::optional<std::size_t> winner_of(const Tuning& tuning) {
  if (tuning.finalists.empty()) return {};
  return attempt_of(tuning, tuning.winner());
}

std::optional<formats::Raced> raced_of(const Judgement& judgement) {
  if (!judgement.baseline) return {};
  return formats::Raced{.original_ms = tune::in_ms(judgement.baseline->elapsed),
                        .winner_ms = tune::in_ms(judgement.elapsed),
                        .speedup = judgement.baseline->speedup};
}

}  // namespace

measure::Estimate in_ms(const measure::Estimate& elapsed) {
  return {in_ms(elapsed.value), {in_ms(elapsed.interval.low), in_ms(elapsed.interval.high)}};
}

formats::Results results_of(const Family& family, const Tuning& tuning,
                            const device::Adapter& adapter, std::string strategy,
                            std::chrono::sys_seconds started) {
  formats::Results results{.kernel = family.name,
                           .device = adapter.name,
                           .driver = adapter.driver,
                           .strategy = std::move(strategy),
                           .started = started,
                           .original = attempt_of(tuning, family.baseline),
                           .winner = winner_of(tuning),
                           .accepted = tuning.accepted,
                           .tied = tuning.judgement.gain == Gain::tied,
                           .raced = raced_of(tuning.judgement)};
  for (const space::Parameter& parameter : family.space.parameters()) {
    results.parameters.push_back(parameter.name);
  }
  for (const Attempt& attempt : tuning.attempts) {
    results.tried.push_back(tried_of(family.space, attempt));
  }
  return results;
}

}  // namespace vyre::tune
