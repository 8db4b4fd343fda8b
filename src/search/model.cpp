#include "search/model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "search/fit.h"

namespace vyre::search {
namespace {

constexpr float first_scale = 0.6F;
constexpr std::size_t fit_rows = 120;
constexpr double fit_growth = 1.2;  // between two fits
constexpr std::size_t kept_neighbours_of = 8;
constexpr double prior_weight = 2;    // of s^2 = 1
constexpr double common_factor = 3;   // of the median noise: up to there it is common
constexpr double noise_slack = 0.25;  // of the fitted noise: so much more or less does not matter

double squared(double x) { return x * x; }

}  // namespace

Model::Model(const space::Space& space, const Settings& settings)
    : space_(space),
      settings_(settings),
      features_(space, settings),
      covariance_{.kind = settings.covariance,
                  .scales = std::vector<float>(features_.count(), first_scale),
                  .noise = settings.covariance == CovarianceKind::smooth ? 1e-3 : 0.1},
      pool_(space.size(), settings.pool) {}

void Model::tell(Index index, const Observation& outcome) {
  replaced_ = history_.add(index, outcome) || replaced_;
  fresh_.push_back(index);
}

void Model::update(std::span<const Index> pending, const Asked& asked, Random& random) {
  pending = pending.first(std::min(pending.size(), settings_.rows / std::size_t{8}));
  const bool fits = history_.good() >= next_fit_;
  if (!surrogate_ || fits || replaced_) {
    common_noise_ = common_factor * history_.median_noise();
    if (fits) refit(random);
    rebuild(asked, random);
  } else {
    drop_outdated_rows();
    if (told_rows() + fresh_.size() + pending.size() > settings_.rows) rebuild(asked, random);
  }
  absorb();
  for (const Index index : pending) append(index);
  solve();
}

void Model::absorb() {
  const std::vector<Index> fresh = std::exchange(fresh_, {});
  const bool first_failure = success_.is_certain() && history_.any_failed();
  if (first_failure) success_.rebuild(history_, features_, *surrogate_);
  for (const Index index : fresh) {
    const History::Entry& entry = *history_.find(index);
    if (!first_failure) success_.add(entry, features_, *surrogate_);
    if (entry.good) append(index);
  }
}

// Of many, to the fastest and as many of the others at random.
void Model::refit(Random& random) {
  std::vector<Index> of = history_.good_indices();
  if (of.size() > fit_rows) {
    of = history_.fastest(of.size());
    random.shuffle(of, fit_rows / 2);
    of.resize(fit_rows);
  }
  std::vector<float> rows;
  for (const Index index : of) {
    const std::vector<float> row = features_.row(index);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  const Targets targets = history_.targets(of);
  fit(covariance_, {.rows = rows, .y = targets.values, .noise = noise_of(of, targets.deviation)});
  const auto good = static_cast<double>(history_.good());
  next_fit_ = std::max(history_.good() + 2, static_cast<std::size_t>(good * fit_growth));
}

void Model::rebuild(const Asked& asked, Random& random) {
  pool_.refill(pool_.whole() ? std::vector<Index>{} : neighbours_of_best(kept_neighbours_of, asked),
               asked, random);
  if (!surrogate_) surrogate_.emplace(features_, settings_, pool_.candidates());
  const std::vector<Index> rows = chosen_rows(random);
  target_deviation_ = history_.targets(rows).deviation;
  surrogate_->rebuild(covariance_, pool_.candidates(), rows, noise_of(rows, target_deviation_));
  success_.rebuild(history_, features_, *surrogate_);
  fresh_.clear();
  replaced_ = false;
}

// All that are good; of too many, the fastest and others at random, with room for those to come.
std::vector<Index> Model::chosen_rows(Random& random) const {
  std::vector<Index> rows = history_.good_indices();
  const std::size_t most = settings_.rows * std::size_t{3} / 4;
  if (rows.size() <= most) return rows;
  rows = history_.fastest(rows.size());
  random.shuffle(rows, most / 2);
  rows.resize(most);
  return rows;
}

// What is told beyond the common noise, in units of the targets' variance; 0 of what is still being
// measured.
double Model::noise_of(Index row, double deviation) const {
  const History::Entry* entry = history_.find(row);
  if (entry == nullptr) return 0;
  const double excess = squared(entry->noise) - squared(common_noise_);
  return std::clamp(excess / squared(deviation), 0.0, 1.0);
}

std::vector<double> Model::noise_of(std::span<const Index> rows, double deviation) const {
  std::vector<double> noise;
  for (const Index row : rows) noise.push_back(noise_of(row, deviation));
  return noise;
}

// A row that was pending when it was appended and turned out a failure, or noisier than assumed.
bool Model::is_outdated(std::size_t row) const {
  const Index index = surrogate_->rows()[row];
  const History::Entry* entry = history_.find(index);
  if (entry == nullptr) return false;
  const double noise = noise_of(index, target_deviation_);
  return !entry->good || std::abs(noise - surrogate_->noise(row)) > noise_slack * covariance_.noise;
}

// Rows stand on those before them, so all behind an outdated one go with it.
void Model::drop_outdated_rows() {
  std::size_t kept = 0;
  const std::vector<Index> rows(surrogate_->rows().begin(), surrogate_->rows().end());
  while (kept < rows.size() && !is_outdated(kept)) ++kept;
  surrogate_->truncate(kept);
  for (const Index row : std::span(rows).subspan(kept)) {
    const History::Entry* entry = history_.find(row);
    if (entry != nullptr && entry->good) append(row);
  }
}

std::size_t Model::told_rows() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      surrogate_->rows(), [&](Index row) { return history_.find(row) != nullptr; }));
}

void Model::append(Index row) {
  if (std::ranges::find(surrogate_->rows(), row) != surrogate_->rows().end()) return;
  surrogate_->append(row, noise_of(row, target_deviation_));
}

// The weights of the rows for what is now the best and the mean.
void Model::solve() {
  const auto rows = surrogate_->rows();
  std::vector<Index> told;
  std::ranges::copy_if(rows, std::back_inserter(told),
                       [&](Index row) { return history_.find(row) != nullptr; });
  const Targets targets = history_.targets(told);
  const auto count = static_cast<double>(told.size());
  double mean_cost = 0;
  for (const Index row : told) mean_cost += history_.find(row)->log_cost / count;
  std::vector<double> y(rows.size(), std::nan(""));
  std::vector<double> cost = y;
  for (std::size_t row = 0, t = 0; t < told.size(); ++row) {
    if (rows[row] != told[t]) continue;
    y[row] = targets.values[t];
    cost[row] = history_.find(told[t++])->log_cost - mean_cost;
  }
  weights_ = {surrogate_->weights(y), surrogate_->weights(cost)};
  double energy = prior_weight;
  for (const float w : weights_[0]) energy += static_cast<double>(w * w);
  best_ = static_cast<float>(targets.best);
  prior_deviation_ = static_cast<float>(std::sqrt(energy / (count + prior_weight)));
}

std::size_t Model::slot_of(Index index, Random& random) {
  if (const auto slot = pool_.slot(index)) return *slot;
  const std::size_t slot = pool_.insert(index, random);
  surrogate_->replace(slot, index);
  success_.replace(slot, index, history_, features_, *surrogate_);
  return slot;
}

Model::Prediction Model::predict(std::size_t block) {
  std::array<Lanes, 2> means;
  surrogate_->means(block, weights_, means);
  return {means[0], means[1]};
}

float Model::deviation(std::size_t slot) {
  return prior_deviation_ * std::sqrt(std::max(surrogate_->variance(slot), 1e-7F));
}

std::vector<Index> Model::neighbours_of_best(std::size_t count, const Asked& asked) const {
  std::vector<Index> all;
  for (const Index best : history_.fastest(count)) {
    std::ranges::copy_if(space_.neighbours(best), std::back_inserter(all),
                         [&](Index index) { return !asked.contains(index); });
  }
  return all;
}

}  // namespace vyre::search
