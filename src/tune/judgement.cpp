#include "tune/judgement.h"

#include <algorithm>

namespace vyre::tune {
namespace {

using measure::Standing;

bool is_correct(const trial::Row& row) { return row.outcome.verdict == Verdict::correct; }

// What is correct but surely slower after its first samples does not.
bool races(const trial::Row& row) { return is_correct(row) && row.standing; }

// Over the first rounds. The interval is resampled: it may miss the median of a few samples.
measure::Estimate elapsed_of(const Standing& standing, std::size_t rounds, measure::Basis basis) {
  std::vector<double> times;
  for (std::size_t i = 0; i < rounds; ++i) {
    times.push_back(measure::value(standing.samples[i], basis));
  }
  const double ns = measure::median(times);
  const measure::Interval interval = measure::bootstrap(times, 0.5);
  return {ns, {std::min(interval.low, ns), std::max(interval.high, ns)}};
}

// The ratio of the medians, in the race's interval of the ratio within a round.
measure::Estimate speedup_of(const Standing& original, const store::Baseline& baseline,
                             const measure::Estimate& elapsed) {
  const double ratio = baseline.elapsed.value / elapsed.value;
  return {ratio,
          {std::min(original.ratio_interval.low, ratio),
           std::max(original.ratio_interval.high, ratio)}};
}

Judgement original_stays(const trial::Report& race, Gain gain) {
  const Standing& original = *race.rows[0].standing;
  const auto elapsed = elapsed_of(original, original.samples.size(), race.basis);
  return {.gain = gain,
          .compared = gain != Gain::alone,
          .winner = 0,
          .elapsed = elapsed,
          .baseline = store::Baseline{.elapsed = elapsed, .speedup = {1, {1, 1}}},
          .samples = original.samples.size()};
}

Judgement without_original(const trial::Report& race) {
  const Standing& best = *race.rows[*race.winner].standing;
  return {.gain = Gain::unknown,
          .compared = std::ranges::count_if(race.rows, races) > 1,
          .winner = *race.winner,
          .elapsed = elapsed_of(best, best.samples.size(), race.basis),
          .baseline = {},
          .samples = best.samples.size()};
}

Judgement faster(const trial::Report& race) {
  const Standing& best = *race.rows[*race.winner].standing;
  const Standing& original = *race.rows[0].standing;
  const std::size_t rounds = std::min(best.samples.size(), original.samples.size());
  Judgement made{.gain = Gain::faster,
                 .compared = true,
                 .winner = *race.winner,
                 .elapsed = elapsed_of(best, rounds, race.basis),
                 .baseline = {},
                 .samples = rounds};
  store::Baseline& baseline = made.baseline.emplace();
  baseline.elapsed = elapsed_of(original, rounds, race.basis);
  baseline.speedup = speedup_of(original, baseline, made.elapsed);
  return made;
}

}  // namespace

std::string_view to_string(Gain gain) {
  switch (gain) {
    case Gain::faster:
      return "faster than the default";
    case Gain::tied:
      return "tied with the default";
    case Gain::none:
      return "the default is the fastest";
    case Gain::alone:
      return "nothing to compare the default with";
    case Gain::unknown:
      return "the default failed";
  }
  return "";
}

Result<Judgement> judge(const trial::Report& race) {
  if (!race.winner || race.rows.empty() || !races(race.rows[*race.winner])) {
    return fail(ErrorKind::run, "no configuration was correct to the end");
  }
  if (!races(race.rows[0])) return without_original(race);
  const bool alone = std::ranges::count_if(race.rows, is_correct) == 1;
  if (alone) return original_stays(race, Gain::alone);
  if (*race.winner == 0) return original_stays(race, Gain::none);
  if (race.rows[0].standing->rank != measure::Rank::slower) {
    return original_stays(race, Gain::tied);
  }
  return faster(race);
}

}  // namespace vyre::tune
