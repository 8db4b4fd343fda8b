#include "vyre/search/score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/memory.h"
#include "search/random.h"

namespace vyre::search {
namespace {

constexpr double cutoff = 0.95;
constexpr int searches = 5000;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

double median_of_sorted(std::span<const double> values) {
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double share(std::size_t point) {
  return static_cast<double>(point + 1) / static_cast<double>(score_points);
}

// Where even random search is at the optimum, being there is 1.
double standard(double value, double baseline, double optimum) {
  if (std::isnan(value)) return 0;
  if (baseline <= optimum) return value <= optimum ? 1 : 0;
  return (baseline - value) / (baseline - optimum);
}

}  // namespace

Result<Scorer> Scorer::make(std::vector<double> times, std::vector<double> costs,
                            std::size_t budget) {
  if (times.size() != costs.size()) {
    return fail(ErrorKind::input, "each configuration needs one time and one cost");
  }
  for (double& time : times) {
    if (!(time > 0) || !std::isfinite(time)) time = nothing;
  }
  if (std::ranges::all_of(times, [](double t) { return std::isnan(t); })) {
    return fail(ErrorKind::run,
                "no configuration is valid, so there is no optimum to score against");
  }
  return within_memory(
      [&]() -> Result<Scorer> { return Scorer(std::move(times), std::move(costs), budget); });
}

Scorer::Scorer(std::vector<double> times, std::vector<double> costs, std::size_t budget)
    : times_(std::move(times)), costs_(std::move(costs)) {
  std::vector<double> sorted;
  std::ranges::copy_if(times_, std::back_inserter(sorted), [](double t) { return !std::isnan(t); });
  std::ranges::sort(sorted);
  optimum_ = sorted[0];
  expect(sorted, budget);
  const double total = std::accumulate(costs_.begin(), costs_.end(), 0.0);
  budget_cost_ = total / static_cast<double>(costs_.size()) * static_cast<double>(expected_.size());
  simulate_baseline();
}

// The best of m draws without replacement, failed ones drawn as well, given that one is valid.
// none[i] is the chance that none of the i best was drawn. Ends with the budget; without one, when
// the cutoff is reached.
void Scorer::expect(std::span<const double> sorted, std::size_t budget) {
  const double target = optimum_ + (1 - cutoff) * (median_of_sorted(sorted) - optimum_);
  const auto n = static_cast<double>(times_.size());
  std::vector<double> none(sorted.size() + 1, 1.0);
  for (std::size_t m = 0; m < times_.size(); ++m) {
    const double left = n - static_cast<double>(m);
    for (std::size_t i = 0; i < none.size(); ++i) {
      none[i] = std::max(none[i] * (left - static_cast<double>(i)) / left, 0.0);
    }
    double sum = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) sum += (none[i] - none[i + 1]) * sorted[i];
    expected_.push_back(sum / (1 - none.back()));
    if (budget > 0 ? expected_.size() == budget : expected_.back() <= target) break;
  }
}

void Scorer::simulate_baseline() {
  Random random(20240607);
  std::vector<Index> order(times_.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::array<double, score_points> sum = {};
  std::array<double, score_points> count = {};
  for (int search = 0; search < searches; ++search) {
    double clock = 0;
    double best = nothing;
    std::size_t point = 0;
    for (std::size_t drawn = 0; drawn <= order.size() && point < score_points; ++drawn) {
      double cost = HUGE_VAL;  // when all are drawn, nothing changes any more
      if (drawn < order.size()) {
        std::swap(order[drawn], order[drawn + random.below(order.size() - drawn)]);
        cost = costs_[order[drawn]];
      }
      for (; point < score_points && clock + cost > share(point) * budget_cost_; ++point) {
        sum[point] += std::isnan(best) ? 0 : best;
        count[point] += std::isnan(best) ? 0 : 1;
      }
      clock += cost;
      if (drawn < order.size()) best = std::fmin(best, times_[order[drawn]]);
    }
  }
  for (std::size_t p = 0; p < score_points; ++p) {
    baseline_[p] = count[p] > 0 ? sum[p] / count[p] : expected_[0];
  }
}

RunScore Scorer::score(std::span<const Index> evaluations) const {
  RunScore run;
  std::vector<double> best = {nothing};  // after so many evaluations
  std::vector<double> clock = {0};
  for (const Index index : evaluations) {
    best.push_back(std::fmin(best.back(), times_[index]));
    clock.push_back(clock.back() + costs_[index]);
    for (std::size_t t = 0; t < score_targets.size(); ++t) {
      if (run.until[t] == 0 && best.back() <= optimum_ * score_targets[t]) {
        run.until[t] = best.size() - 1;
      }
    }
  }
  const auto budget = static_cast<double>(expected_.size());
  for (std::size_t p = 0; p < score_points; ++p) {
    const auto end = std::ranges::upper_bound(clock, share(p) * budget_cost_);
    const auto at = static_cast<std::size_t>(end - clock.begin()) - 1;
    run.time += standard(best[at], baseline_[p], optimum_) / score_points;
    const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(share(p) * budget + 1e-9));
    run.evaluations +=
        standard(best[std::min(count, best.size() - 1)], expected_[count - 1], optimum_) /
        score_points;
  }
  return run;
}

}  // namespace vyre::search
