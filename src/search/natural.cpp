// Asking and telling, and keeping the policy up to date; natural_choice.cpp chooses with it.
#include "search/natural.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "search/fit.h"
#include "search/start.h"

namespace vyre::search {
namespace {

constexpr float first_scale = 0.6F;
constexpr std::size_t fit_rows = 120;
constexpr double fit_growth = 1.2;  // between two fits
constexpr std::size_t kept_neighbours_of = 8;

}  // namespace

Natural::Natural(space::Space space, const Settings& settings, std::uint64_t seed)
    : space_(std::move(space)),
      settings_(settings),
      random_(seed),
      features_(space_, settings),
      asked_(space_.size()),
      kernel_{.likeness = settings.likeness,
              .scales = std::vector<float>(features_.count(), first_scale),
              .noise = settings.likeness == Likeness::smooth ? 1e-3 : 0.1},
      pool_(space_.size(), settings.pool) {}

std::vector<Index> Natural::ask(std::size_t count) {
  std::vector<Index> out;
  while (out.size() < count) {
    const auto index = next();
    if (!index) break;
    asked_.add(*index);
    order_.push_back(*index);
    pending_.push_back(*index);
    out.push_back(*index);
  }
  return out;
}

void Natural::tell(Index index, const Observation& outcome) {
  asked_.add(index);
  std::erase(pending_, index);
  stale_ = history_.add(index, outcome) || stale_;
  fresh_.push_back(index);
}

std::optional<Index> Natural::next() {
  if (asked_.all()) return std::nullopt;
  if (order_.size() < settings_.start || history_.good() < 2 || features_.count() == 0) {
    return start_point(features_, asked_, order_, space_.size(), random_);
  }
  absorb();
  return suggest();
}

void Natural::absorb() {
  if (!surrogate_ || stale_ || history_.good() >= next_fit_) return refit();
  for (const Index index : std::exchange(fresh_, {})) {
    const History::Entry& entry = *history_.find(index);
    if (history_.any_failed()) success_.add(entry, features_, *surrogate_);
    if (entry.good) append(index);
  }
  // Others that are being measured count as what the policy expects of them.
  for (const Index index : pending_) append(index);
}

void Natural::append(Index row) {
  if (in_surrogate_.contains(row)) return;
  if (surrogate_->full()) return rebuild();
  surrogate_->append(row, row_noise(row));
  in_surrogate_.insert(row);
}

// In units of the targets' variance.
double Natural::row_noise(Index row) const {
  const History::Entry* entry = history_.find(row);
  if (entry == nullptr) return 0;
  const double relative = entry->noise / target_deviation_;
  return std::min(relative * relative, 1.0);
}

void Natural::refit() {
  if (history_.good() >= next_fit_) {
    fit_kernel();
    const auto good = static_cast<double>(history_.good());
    next_fit_ = std::max(history_.good() + 2, static_cast<std::size_t>(good * fit_growth));
  }
  rebuild();
  for (const Index index : pending_) append(index);
}

// To the fastest, and as many of the others at random.
void Natural::fit_kernel() {
  std::vector<Index> of = history_.good_indices();
  if (of.size() > fit_rows) {
    of = history_.fastest(of.size());
    random_.shuffle(of, fit_rows / 2);
    of.resize(fit_rows);
  }
  std::vector<float> rows;
  for (const Index index : of) {
    const std::vector<float> row = features_.row(index);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  fit(kernel_, rows, history_.targets(of).values);
}

void Natural::rebuild() {
  pool_.refill(pool_.whole() ? std::vector<Index>{} : best_neighbours(kept_neighbours_of), asked_,
               random_);
  if (!surrogate_) surrogate_.emplace(features_, settings_, pool_.candidates());
  const std::vector<Index> rows = chosen_rows();
  target_deviation_ = history_.targets(rows).deviation;
  std::vector<double> noise;
  for (const Index index : rows) noise.push_back(row_noise(index));
  surrogate_->rebuild(kernel_, pool_.candidates(), rows, noise);
  success_.rebuild(history_, features_, *surrogate_);
  in_surrogate_ = {rows.begin(), rows.end()};
  fresh_.clear();
  stale_ = false;
}

// All that are good; of too many, the fastest and others at random, with room for those to come.
std::vector<Index> Natural::chosen_rows() {
  std::vector<Index> rows = history_.good_indices();
  const std::size_t most = settings_.rows * std::size_t{3} / 4;
  if (rows.size() <= most) return rows;
  rows = history_.fastest(rows.size());
  random_.shuffle(rows, most / 2);
  rows.resize(most);
  return rows;
}

std::vector<Index> Natural::best_neighbours(std::size_t of) const {
  std::vector<Index> all;
  std::vector<Index> some;
  for (const Index best : history_.fastest(of)) {
    space_.neighbours(best, space::Neighbourhood::hamming, some);
    std::ranges::copy_if(some, std::back_inserter(all),
                         [&](Index index) { return !asked_.contains(index); });
  }
  return all;
}

}  // namespace vyre::search
