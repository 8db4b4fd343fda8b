#include "tune/sweep_family.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tune/members.h"
#include "tune/sweep.h"
#include "vyre/schedule/schedule_space.h"

namespace vyre::tune {
namespace {

constexpr std::uint64_t failed_ns = std::numeric_limits<std::uint64_t>::max();

std::uint64_t time_of(const Attempt& attempt) {
  if (attempt.outcome.verdict != Verdict::correct) return failed_ns;
  return static_cast<std::uint64_t>(std::llround(attempt.outcome.measured->estimate_ns));
}

store::Elapsed elapsed_of(const measure::Measurement& measured) {
  const double ns = measured.estimate_ns;
  return {.ns = ns,
          .low = std::min(ns, measured.interval.low),
          .high = std::max(ns, measured.interval.high)};
}

// Measured one after the other, not side by side: the interval of the ratio is as wide as both.
store::Ratio ratio_of(const store::Elapsed& original, const store::Elapsed& best) {
  return {.value = original.ns / best.ns,
          .low = original.low / best.high,
          .high = original.high / best.low};
}

Choice choose(const Attempt& best, const Attempt& original) {
  const measure::Measurement& measured = *best.outcome.measured;
  const auto elapsed = elapsed_of(measured);
  const auto before = elapsed_of(*original.outcome.measured);
  return {.member = best.index,
          .elapsed = elapsed,
          .baseline =
              store::Baseline{.elapsed = before,
                              .speedup = best.index == original.index ? store::Ratio{}
                                                                      : ratio_of(before, elapsed)},
          .samples = measured.samples.size(),
          .strategy = "sweep"};
}

}  // namespace

std::vector<space::Index> swept_members(const Family& family, std::uint64_t limit) {
  std::vector<space::Index> members;
  if (!schedule::has_workgroup(family.space.parameters())) {
    members.resize(family.space.size());
    std::iota(members.begin(), members.end(), space::Index{0});
    return members;
  }
  for (const Extent& workgroup : candidates_1d(limit)) {
    const auto member = member_of(family, {.key = {}, .workgroup = workgroup, .evidence = {}});
    if (member) members.push_back(*member);
  }
  if (std::ranges::find(members, family.original) == members.end()) {
    members.insert(members.begin(), family.original);
  }
  return members;
}

Result<Swept> sweep_family(worker::Session& session, const Family& family, const Workload& workload,
                           const TuneOptions& options, Clock& clock) {
  const auto members = Members::make(session, family, workload, options.truth);
  if (!members) return std::unexpected(members.error());
  const auto started = clock.now();
  Swept swept;
  trial::EvaluateOptions how = options.evaluate;
  const auto measure = [&](space::Index index) -> Result<std::uint64_t> {
    const auto known = std::ranges::find(swept.attempts, index, &Attempt::index);
    if (known != swept.attempts.end()) return time_of(*known);
    auto outcome = members->evaluate(index, how, clock);
    if (!outcome) return std::unexpected(outcome.error());
    swept.attempts.push_back({index, *std::move(outcome), clock.now() - started});
    const std::uint64_t ns = time_of(swept.attempts.back());
    if (ns != failed_ns) {
      const auto time = static_cast<double>(ns);
      how.repeat.best_ns = std::min(how.repeat.best_ns.value_or(time), time);
    }
    return ns;
  };

  if (const auto ns = measure(family.original); !ns) return std::unexpected(ns.error());
  if (auto good = members->check_original(swept.attempts[0].outcome); !good) {
    return std::unexpected(good.error());
  }
  auto candidates = swept_members(family, session.adapter().limits.max_workgroup);
  candidates.resize(std::min(candidates.size(), std::max<std::size_t>(options.evaluations, 1)));
  const auto best = best_of(candidates, measure);
  if (!best) return std::unexpected(best.error());
  const Attempt& original = swept.attempts[0];
  // A family whose original is not among the first candidates may have no other that is correct.
  const bool found = *best && (*best)->ns < time_of(original);
  const space::Index winner = found ? (*best)->member : family.original;
  swept.choice = choose(*std::ranges::find(swept.attempts, winner, &Attempt::index), original);
  return swept;
}

}  // namespace vyre::tune
