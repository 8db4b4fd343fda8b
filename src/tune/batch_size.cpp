#include "tune/batch_size.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace vyre::tune {
namespace {

constexpr std::uint32_t runs_of_window = 4;
constexpr std::uint32_t reports_remembered = 8;
constexpr double enough = 0.8;      // of what there would be without overhead
constexpr double worth_less = 1.1;  // times the cost of an item in the next smaller size
constexpr double newest = 0.25;     // weight of a run in the smoothed cost

double microseconds(std::chrono::nanoseconds time) {
  return static_cast<double>(time.count()) / 1e3;
}

}  // namespace

BatchSize::BatchSize(std::uint32_t least, std::uint32_t most, double operations_per_item)
    : options_{.max = most, .min = least, .memory = reports_remembered},
      resizer_(options_),
      operations_(std::max(operations_per_item, 1.0)),
      size_(least) {}

std::uint32_t BatchSize::capacity_for(std::uint32_t items) const {
  return std::clamp(std::bit_ceil(items), options_.min, options_.max);
}

void BatchSize::add(const BatchRun& run) {
  if (warm_.insert(run.capacity).second) return;
  const double busy = microseconds(run.busy);
  const auto [cost, first] = costs_.try_emplace(run.capacity, busy);
  if (!first) cost->second += newest * (busy - cost->second);
  ++window_.runs;
  if (run.items == size_) ++window_.full;
  window_.items += run.items;
  window_.busy_us += busy;
  window_.idle_us += microseconds(run.idle);
  if (window_.runs == runs_of_window) decide();
}

double BatchSize::saturation() const {
  // A larger size changes nothing for batches that do not fill this one.
  if (2 * window_.full < window_.runs) return 0;
  const auto here = costs_.find(size_);
  if (here == costs_.end() || here == costs_.begin())
    return std::numeric_limits<double>::infinity();
  const auto smaller = std::prev(here);
  const double more = here->second - smaller->second;
  if (!(more > 0)) return std::numeric_limits<double>::infinity();
  return enough * (here->first - smaller->first) / more;
}

bool BatchSize::loses() const {
  const auto here = costs_.find(size_);
  const auto half = costs_.find(size_ / 2);
  if (here == costs_.end() || half == costs_.end()) return false;
  return here->second > worth_less * 2 * half->second;
}

void BatchSize::decide() {
  ResizeOptions limits = options_;
  limits.saturation = saturation() * operations_;
  limits.idle_limit_us = static_cast<std::uint64_t>(std::llround(window_.busy_us));
  resizer_.limit(limits);
  const double wall = window_.busy_us + window_.idle_us;
  const auto operations = static_cast<double>(window_.items) * operations_;
  const auto idle = static_cast<std::uint64_t>(std::llround(window_.idle_us));
  size_ = resizer_.next({.operations = static_cast<std::uint64_t>(operations),
                         .wall_us = static_cast<std::uint64_t>(std::llround(wall)),
                         .idle_us = loses() ? limits.idle_limit_us + 1 : idle,
                         .size = size_,
                         .throughput_per_us = operations / std::max(wall, 1e-3)});
  window_ = {};
}

}  // namespace vyre::tune
