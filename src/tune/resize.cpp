#include "vyre/tune/resize.h"

#include <algorithm>
#include <cmath>

namespace vyre::tune {
namespace {

double throughput_of(const Feedback& feedback) {
  if (feedback.throughput_per_us) return *feedback.throughput_per_us;
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
    return size >= options_.max ? size : std::min(size * 2, options_.max);
  }
  return size;
}

// The size in use must do less than half, a quarter, ... of what `size` did when it was left.
bool Resizer::worth_a_return(std::uint32_t size, double now) const {
  const auto found = seen_.find(size);
  if (found == seen_.end()) return true;
  return now < std::ldexp(found->second.throughput, -static_cast<int>(found->second.left));
}

std::uint32_t Resizer::next(const Feedback& feedback) {
  const double throughput = throughput_of(feedback);
  Memory& current = seen_[feedback.size];
  current.throughput = throughput;
  const std::uint32_t size = wanted(feedback, throughput);
  if (size == feedback.size || !worth_a_return(size, throughput)) return feedback.size;
  ++current.left;
  return size;
}

}  // namespace vyre::tune
