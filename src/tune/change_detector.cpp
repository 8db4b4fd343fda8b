#include "tune/change_detector.h"

#include <algorithm>
#include <cmath>

#include "measure/statistics.h"

namespace vyre::tune {
namespace {

constexpr std::size_t level_samples = 32;
constexpr double cut_off = 0.3;     // 35 % slower
constexpr double allowance = 0.07;  // k: half of 15 %
constexpr double threshold = 3.3;   // h: 14 launches that are much slower, 47 that are 15 % slower

double cut(double distance) { return std::clamp(distance, -cut_off, cut_off); }

}  // namespace

bool ChangeDetector::tell(double ns) {
  if (changed_ || !std::isfinite(ns) || ns <= 0) return changed_;
  const double level = std::log(ns);
  if (!learned_) {
    first_.push_back(level);
    if (first_.size() == level_samples) learn();
    return false;
  }
  const double distance = cut(level - middle_) - mean_;
  slower_ = std::max(0.0, slower_ + distance - allowance);
  faster_ = std::max(0.0, faster_ - distance - allowance);
  changed_ = slower_ > threshold || faster_ > threshold;
  return changed_;
}

// The mean as well as the median: launches that are often slow are no change if they were before.
void ChangeDetector::learn() {
  middle_ = measure::median(first_);
  for (const double level : first_) mean_ += cut(level - middle_) / level_samples;
  first_.clear();
  learned_ = true;
}

}  // namespace vyre::tune
