#include "search/history.h"

#include <algorithm>
#include <cmath>

namespace vyre::search {
namespace {

bool is_good(const Observation& outcome) {
  return outcome.verdict == Verdict::correct && std::isfinite(outcome.time) && outcome.time > 0;
}

History::Entry entry_of(Index index, const Observation& outcome) {
  History::Entry entry{.index = index, .good = is_good(outcome)};
  if (entry.good) entry.log_time = std::log(outcome.time);
  if (std::isfinite(outcome.noise)) entry.noise = std::clamp(outcome.noise, 0.0, 1.0);
  if (std::isfinite(outcome.cost) && outcome.cost > 0) entry.log_cost = std::log(outcome.cost);
  return entry;
}

}  // namespace

bool History::add(Index index, const Observation& outcome) {
  const Entry entry = entry_of(index, outcome);
  const auto [place, is_new] = places_.try_emplace(index, entries_.size());
  if (is_new) {
    entries_.push_back(entry);
  } else {
    good_ -= entries_[place->second].good ? 1U : 0U;
    entries_[place->second] = entry;
  }
  good_ += entry.good ? 1U : 0U;
  return !is_new;
}

const History::Entry* History::find(Index index) const {
  const auto place = places_.find(index);
  return place == places_.end() ? nullptr : &entries_[place->second];
}

std::vector<Index> History::good_indices() const {
  std::vector<Index> all;
  for (const Entry& entry : entries_) {
    if (entry.good) all.push_back(entry.index);
  }
  return all;
}

std::vector<Index> History::fastest(std::size_t count) const {
  std::vector<const Entry*> order;
  for (const Entry& entry : entries_) {
    if (entry.good) order.push_back(&entry);
  }
  count = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [](const Entry* a, const Entry* b) {
                      return a->log_time < b->log_time ||
                             (a->log_time == b->log_time && a->index < b->index);
                    });
  std::vector<Index> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(order[i]->index);
  return out;
}

double History::median_noise() const {
  std::vector<double> all;
  for (const Entry& entry : entries_) {
    if (entry.good) all.push_back(entry.noise);
  }
  if (all.empty()) return 0;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  return *middle;
}

Targets History::targets(std::span<const Index> of) const {
  std::vector<double> all;
  for (const Entry& entry : entries_) {
    if (entry.good) all.push_back(entry.log_time);
  }
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  const double best = *std::min_element(all.begin(), middle + 1);
  const double most = all.size() < 4 ? HUGE_VAL : best + 2 * (*middle - best);

  Targets targets;
  const auto count = static_cast<double>(of.size());
  double mean = 0;
  for (const Index index : of) {
    targets.values.push_back(std::min(find(index)->log_time, most));
    mean += targets.values.back() / count;
  }
  double variance = 0;
  for (const double y : targets.values) variance += (y - mean) * (y - mean) / count;
  targets.deviation = std::sqrt(variance) + 1e-6;
  for (double& y : targets.values) y = (y - mean) / targets.deviation;
  targets.best = (best - mean) / targets.deviation;
  return targets;
}

}  // namespace vyre::search
