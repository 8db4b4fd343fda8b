#include "tune/live_arms.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "measure/statistics.h"

namespace vyre::tune {
namespace {

constexpr std::size_t ring_size = 16;
constexpr double least_noise = 0.01;
constexpr double most_noise = 0.3;
constexpr double far = 4;                // standard deviations,
constexpr double least_far = 0.1;        // and no less than this
constexpr double slow = 0.693;           // log 2: not noise any more
constexpr double hopeless = 2.485;       // log 12: more than the system takes
constexpr double far_behind = 1.386;     // log 4
constexpr std::size_t sure_samples = 6;  // of the best
constexpr std::size_t few_samples = 3;   // of what was the best

// The middle one, of two the lower: what slows a launch down has no counterpart.
double lower_median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

void LiveArms::tell(std::size_t arm, double ns) {
  if (arm >= arms_.size() || !std::isfinite(ns) || ns <= 0) return;
  Arm& told = arms_[arm];
  const double before = told.level;
  if (std::exchange(told.is_old, false)) told.ring.clear();
  told.ring.push_back(std::log(ns));
  if (told.ring.size() > ring_size) told.ring.erase(told.ring.begin());
  ++told.samples;
  ++told_;
  if (told_ % ring_size == 0) update_noise();
  told.level = level_of(told);
  if (arm == anchor_) shift_old(told.level - before);
  find_best();
}

void LiveArms::shift_old(double by) {
  for (Arm& arm : arms_) {
    if (arm.is_old) arm.level += by;
  }
}

void LiveArms::refresh() {
  if (arms_.empty()) return;
  anchor_ = best_;
  arms_[best_].samples = 0;
  for (Arm& arm : arms_) arm.is_old = !arm.ring.empty();
}

// What came since may be so much faster that it need not be known better.
bool LiveArms::needs_refresh(std::size_t arm) const {
  if (arm != anchor_ || !is_known(arm) || behind(arm) > slow) return false;
  return arms_[arm].is_old || arms_[arm].ring.size() < few_samples;
}

void LiveArms::restart() {
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    if (!is_known(i)) continue;
    arms_[i].before = behind(i);
    arms_[i].was_good = arms_[i].before < slow;
  }
  for (Arm& arm : arms_) {
    arm.ring.clear();
    arm.samples = 0;
    arm.is_old = false;
  }
  anchor_.reset();
}

double LiveArms::behind(std::size_t arm) const { return arms_[arm].level - arms_[best_].level; }

double LiveArms::standard_error(std::size_t arm) const {
  return noise_ / std::sqrt(static_cast<double>(std::max<std::size_t>(arms_[arm].ring.size(), 1)));
}

ArmEstimate LiveArms::estimate(std::size_t arm) const {
  if (arm >= arms_.size() || !is_known(arm)) return {};
  const double half = 1.96 * standard_error(arm);
  const double level = arms_[arm].level;
  return {.ns = std::exp(level),
          .samples = std::max(arms_[arm].samples, arms_[arm].ring.size()),
          .interval = {.low = std::exp(level - half), .high = std::exp(level + half)}};
}

std::vector<std::size_t> LiveArms::untried() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    const Arm& arm = arms_[i];
    const bool is_new = !is_known(i) && arm.before < far_behind;
    const bool is_doubtful = arm.samples == 1 && arm.was_good && behind(i) > slow;
    if (is_new || is_doubtful || needs_refresh(i)) out.push_back(i);
  }
  std::ranges::sort(
      out, {}, [&](std::size_t i) { return std::tuple(needs_refresh(i), arms_[i].before, i); });
  return out;
}

std::vector<std::size_t> LiveArms::open() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    if (is_open(i)) out.push_back(i);
  }
  return out;
}

bool LiveArms::is_open(std::size_t arm) const {
  const std::size_t samples = arms_[arm].samples;
  if (arm == best_ || !is_known(arm) || samples >= options_.most_samples) return false;
  const double error = std::hypot(standard_error(arm), standard_error(best_));
  return behind(arm) < options_.confidence * error - options_.indifference;
}

std::optional<std::size_t> LiveArms::second_chance() const {
  std::optional<std::size_t> found;
  double least = hopeless;
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    const std::size_t samples = arms_[i].samples;
    if (i == best_ || samples > 1) continue;
    const double from = is_known(i) ? slow : far_behind;
    if (distance(i) < from || distance(i) >= least) continue;
    found = i;
    least = distance(i);
  }
  return found;
}

double LiveArms::distance(std::size_t arm) const {
  return is_known(arm) ? behind(arm) : arms_[arm].before;
}

bool LiveArms::best_is_sure() const {
  return best_ < arms_.size() && arms_[best_].samples >= sure_samples;
}

double LiveArms::level_of(const Arm& arm) const {
  const double middle = lower_median(arm.ring);
  double sum = 0;
  double count = 0;
  for (const double value : arm.ring) {
    if (std::abs(value - middle) > std::max(far * noise_, least_far)) continue;
    sum += value;
    ++count;
  }
  return sum / count;
}

// From the distances to the levels; an arm with few samples is too near to its own.
void LiveArms::update_noise() {
  std::vector<double> distances;
  for (const Arm& arm : arms_) {
    if (arm.ring.size() < 4) continue;
    for (const double value : arm.ring) distances.push_back(std::abs(value - arm.level));
  }
  if (distances.size() < ring_size) return;
  noise_ = std::clamp(1.4826 * measure::median(distances), least_noise, most_noise);
}

void LiveArms::find_best() {
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    if (!is_known(i)) continue;
    if (!is_known(best_) || arms_[i].level < arms_[best_].level) best_ = i;
  }
}

}  // namespace vyre::tune
