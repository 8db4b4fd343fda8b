#include "search/natural.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/improvement.h"
#include "search/start.h"

namespace vyre::search {
namespace {

constexpr std::size_t local_best = 3;
constexpr float never = -std::numeric_limits<float>::infinity();

}  // namespace

Natural::Natural(const space::Space& space, const Settings& settings, std::uint64_t seed)
    : settings_(settings), random_(seed), asked_(space.size()), model_(space, settings) {}

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
  model_.tell(index, outcome);
}

std::optional<Index> Natural::next() {
  if (asked_.all()) return std::nullopt;
  const bool knows_enough = order_.size() >= settings_.start && model_.history().good() >= 2;
  if (!knows_enough || model_.features().count() == 0) {
    return start_point(model_.features(), asked_, order_, random_);
  }
  model_.update(pending_, asked_, random_);
  return suggest();
}

std::optional<Index> Natural::suggest() {
  std::optional<Index> found;
  if (settings_.acquisition == Acquisition::sample) {
    found = drawn();
  } else {
    const bool local = settings_.local > 0 && order_.size() % settings_.local == 0;
    if (local) found = most_promising_neighbour();
    if (!found) found = most_promising();
  }
  return found ? found : asked_.draw(random_);
}

// Those that cannot exceed `floor` are not worked out.
Lanes Natural::scores(std::size_t block, float floor) {
  const Model::Prediction expected = model_.predict(block);
  const auto power = static_cast<float>(settings_.cost_power);
  const float most_log_deviation = std::log(model_.prior_deviation());
  const auto candidates = model_.candidates();
  Lanes out;
  out.fill(never);
  for (std::size_t c = 0; c < lanes; ++c) {
    const std::size_t slot = block * lanes + c;
    if (slot >= candidates.size() || asked_.contains(candidates[slot])) continue;
    const float deviation = model_.deviation(slot);
    const float z = (model_.best() - expected.target[c]) / deviation;
    const float saving = -power * expected.log_cost[c];
    if (log_improvement_bound(z) + most_log_deviation + saving <= floor) continue;
    out[c] = log_improvement(z) + std::log(deviation) + saving + model_.log_success(slot);
  }
  return out;
}

std::optional<Index> Natural::most_promising() {
  std::optional<Index> best;
  float most = never;
  for (std::size_t block = 0; block < model_.blocks(); ++block) {
    const Lanes found = scores(block, most);
    const auto greatest = std::ranges::max_element(found);
    if (!(*greatest > most)) continue;
    most = *greatest;
    best = model_.candidates()[block * lanes + static_cast<std::size_t>(greatest - found.begin())];
  }
  return best;
}

std::optional<Index> Natural::most_promising_neighbour() {
  std::vector<std::size_t> slots;
  for (const Index index : model_.neighbours_of_best(local_best, asked_)) {
    slots.push_back(model_.slot_of(index, random_));
  }
  std::ranges::sort(slots);
  std::optional<Index> best;
  float most = never;
  std::size_t block = model_.blocks();
  Lanes found = {};
  for (const std::size_t slot : slots) {
    if (slot / lanes != block) found = scores(block = slot / lanes, never);
    if (!(found[slot % lanes] > most)) continue;
    most = found[slot % lanes];
    best = model_.candidates()[slot];
  }
  return best;
}

// One draw from p(x) ~ exp(-sharpness f(x) / deviation of f) p_ok(x)^2, by the greatest of log p +
// Gumbel noise.
std::optional<Index> Natural::drawn() {
  std::vector<float> f;
  double sum = 0;
  double squares = 0;
  for (std::size_t block = 0; block < model_.blocks(); ++block) {
    const Lanes targets = model_.predict(block).target;
    f.insert(f.end(), targets.begin(), targets.end());
    for (const float v : targets) {
      sum += static_cast<double>(v);
      squares += static_cast<double>(v * v);
    }
  }
  const auto count = static_cast<double>(f.size());
  const double deviation = std::sqrt(std::max(squares / count - sum * sum / count / count, 1e-12));
  const auto candidates = model_.candidates();
  std::optional<Index> best;
  double most = 0;
  for (std::size_t slot = 0; slot < candidates.size(); ++slot) {
    if (asked_.contains(candidates[slot])) continue;
    const double value = -settings_.sharpness * static_cast<double>(f[slot]) / deviation +
                         static_cast<double>(model_.log_success(slot)) -
                         std::log(-std::log(random_.unit()));
    if (best && value <= most) continue;
    best = candidates[slot];
    most = value;
  }
  return best;
}

}  // namespace vyre::search
