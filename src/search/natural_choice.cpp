// How `natural` chooses among the candidates once it has a policy.
#include <algorithm>
#include <cmath>
#include <limits>

#include "search/improvement.h"
#include "search/natural.h"

namespace vyre::search {
namespace {

constexpr std::size_t local_best = 3;
constexpr double prior_weight = 2;  // of s^2 = 1
constexpr float never = -std::numeric_limits<float>::infinity();

}  // namespace

std::optional<Index> Natural::suggest() {
  const View now = view();
  std::optional<Index> found;
  if (settings_.choice == Choice::sample) {
    found = drawn(now);
  } else {
    const bool local = settings_.local > 0 && order_.size() % settings_.local == 0;
    if (local) found = most_promising_neighbour(now);
    if (!found) found = most_promising(now);
  }
  return found ? found : asked_.draw(random_);
}

Natural::View Natural::view() const {
  std::vector<Index> good;
  for (const Index row : surrogate_->rows()) {
    const History::Entry* entry = history_.find(row);
    if (entry != nullptr && entry->good) good.push_back(row);
  }
  const Targets targets = history_.targets(good);
  double mean_cost = 0;
  for (const Index row : good) {
    mean_cost += history_.find(row)->log_cost / static_cast<double>(good.size());
  }
  std::vector<double> y;
  std::vector<double> cost;
  std::size_t next_good = 0;
  for (const Index row : surrogate_->rows()) {
    const bool known = next_good < good.size() && good[next_good] == row;
    y.push_back(known ? targets.values[next_good] : std::nan(""));
    cost.push_back(known ? history_.find(row)->log_cost - mean_cost : std::nan(""));
    next_good += known ? 1U : 0U;
  }
  View now{{surrogate_->weights(y), surrogate_->weights(cost)}, static_cast<float>(targets.best)};
  double energy = prior_weight;
  for (const float w : now.weights[0]) energy += static_cast<double>(w * w);
  now.deviation =
      static_cast<float>(std::sqrt(energy / (static_cast<double>(good.size()) + prior_weight)));
  return now;
}

// Those that cannot exceed `floor` are not worked out.
void Natural::score(const View& view, std::size_t block, float floor, Lanes& out) {
  std::array<Lanes, 2> means;
  surrogate_->means(block, view.weights, means);
  const auto power = static_cast<float>(settings_.cost_power);
  const float most_log_deviation = std::log(view.deviation);  // no variance is above 1
  const auto candidates = pool_.candidates();
  for (std::size_t c = 0; c < lanes; ++c) {
    const std::size_t slot = block * lanes + c;
    out[c] = never;
    if (slot >= candidates.size() || asked_.contains(candidates[slot])) continue;
    const float deviation = view.deviation * std::sqrt(std::max(surrogate_->variance(slot), 1e-7F));
    const float z = (view.best - means[0][c]) / deviation;
    const float cheap = most_log_deviation - power * means[1][c];
    if (log_improvement_bound(z) + cheap <= floor) continue;
    out[c] = log_improvement(z) + std::log(deviation) - power * means[1][c] +
             success_.log_weight(slot, history_);
  }
}

std::optional<Index> Natural::most_promising(const View& view) {
  std::optional<Index> best;
  float most = never;
  for (std::size_t block = 0; block < surrogate_->blocks(); ++block) {
    Lanes scores;
    score(view, block, most, scores);
    for (std::size_t c = 0; c < lanes; ++c) {
      if (!(scores[c] > most)) continue;
      most = scores[c];
      best = pool_.candidates()[block * lanes + c];
    }
  }
  return best;
}

std::optional<Index> Natural::most_promising_neighbour(const View& view) {
  std::vector<std::size_t> slots;
  for (const Index index : best_neighbours(local_best)) {
    auto slot = pool_.slot(index);
    if (!slot) {
      slot = pool_.insert(index, random_);
      surrogate_->replace(*slot, index);
      success_.replace(*slot, index, history_, features_, *surrogate_);
    }
    slots.push_back(*slot);
  }
  std::ranges::sort(slots);
  std::optional<Index> best;
  float most = never;
  std::size_t scored = surrogate_->blocks();
  Lanes scores = {};
  for (const std::size_t slot : slots) {
    if (slot / lanes != scored) score(view, scored = slot / lanes, never, scores);
    if (!(scores[slot % lanes] > most)) continue;
    most = scores[slot % lanes];
    best = pool_.candidates()[slot];
  }
  return best;
}

// One draw from p(x) ~ exp(-sharpness f(x) / deviation of f) p_success(x)^2, by the greatest of
// log p + Gumbel noise.
std::optional<Index> Natural::drawn(const View& view) {
  const auto candidates = pool_.candidates();
  std::vector<float> f(surrogate_->blocks() * lanes);
  double sum = 0;
  double squares = 0;
  for (std::size_t block = 0; block < surrogate_->blocks(); ++block) {
    std::array<Lanes, 2> means;
    surrogate_->means(block, view.weights, means);
    std::ranges::copy(means[0], f.begin() + static_cast<std::ptrdiff_t>(block * lanes));
    for (const float v : means[0]) {
      sum += static_cast<double>(v);
      squares += static_cast<double>(v * v);
    }
  }
  const auto count = static_cast<double>(f.size());
  const double deviation = std::sqrt(std::max(squares / count - sum * sum / count / count, 1e-12));
  std::optional<Index> best;
  double most = 0;
  for (std::size_t slot = 0; slot < candidates.size(); ++slot) {
    if (asked_.contains(candidates[slot])) continue;
    const double value = -settings_.sharpness * static_cast<double>(f[slot]) / deviation +
                         static_cast<double>(success_.log_weight(slot, history_)) -
                         std::log(-std::log(random_.unit()));
    if (best && value <= most) continue;
    best = candidates[slot];
    most = value;
  }
  return best;
}

}  // namespace vyre::search
