#include "tune/resize.h"

#include <algorithm>
#include <cmath>

namespace vyre::tune {
namespace {

// None that is negative or no number: what is remembered must be comparable.
double throughput_of(const Feedback& feedback) {
  if (feedback.throughput_per_us) return std::max(0.0, *feedback.throughput_per_us);
  const auto wall = static_cast<double>(std::max<std::uint64_t>(feedback.wall_us, 1));
  return static_cast<double>(feedback.operations) / wall;
}

}  // namespace

std::uint32_t Resizer::wanted(const Feedback& feedback, double throughput) const {
  const std::uint32_t size = feedback.size;
  if (feedback.idle_us > options_.idle_limit_us) {
    return size <= options_.min ? size : std::max(size / 2, options_.min);
  }
  if (throughput < options_.saturation) {
    if (size >= options_.max) return size;
    return size > options_.max / 2 ? options_.max : size * 2;  // twice 2^31 is no u32
  }
  return size;
}

void Resizer::forget() {
  if (options_.memory == 0) return;
  std::erase_if(seen_,
                [&](const auto& entry) { return reports_ - entry.second.last > options_.memory; });
}

// Whether the size that was left did worse than the one that took its place.
void Resizer::judge(const Feedback& feedback, double throughput) {
  if (!move_ || move_->to != feedback.size) return;
  Memory& before = seen_[move_->from];
  before.worse = before.throughput <= throughput;
  move_.reset();
}

// The size in use must do less than `size` did when it was left, if that was worse less than half;
// and for every further return half of that.
bool Resizer::worth_a_return(std::uint32_t size, double now) const {
  const auto found = seen_.find(size);
  if (found == seen_.end()) return true;
  const Memory& then = found->second;
  const int halvings = static_cast<int>(then.left) - (then.worse ? 0 : 1);
  return now < std::ldexp(then.throughput, -halvings);
}

std::uint32_t Resizer::next(const Feedback& feedback) {
  if (feedback.size == 0) return std::max(options_.min, 1U);
  const double throughput = throughput_of(feedback);
  ++reports_;
  forget();
  Memory& current = seen_[feedback.size];
  current.throughput = throughput;
  current.last = reports_;
  judge(feedback, throughput);
  const std::uint32_t size = wanted(feedback, throughput);
  if (size == feedback.size || !worth_a_return(size, throughput)) return feedback.size;
  ++current.left;
  move_ = {.from = feedback.size, .to = size};
  return size;
}

}  // namespace vyre::tune
