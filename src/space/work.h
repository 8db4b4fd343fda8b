// How much an enumeration may cost: steps that are counted, not time, so that a definition has the
// same answer on every machine. A step is about what testing one small node for one combination
// costs, a nanosecond.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace vyre::space {

class Work {
 public:
  explicit Work(std::uint64_t limit) : limit_(limit), left_(limit) {}

  void spend(std::uint64_t steps) {
    exhausted_ = exhausted_ || steps > left_;
    left_ -= std::min(steps, left_);
  }
  // For each of `count` things; what is estimated may be a fraction.
  void spend(std::size_t count, double each) {
    spend(static_cast<std::uint64_t>(std::min(static_cast<double>(count) * each, 1e18)));
  }
  // More was spent than there was.
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  [[nodiscard]] std::uint64_t limit() const { return limit_; }
  [[nodiscard]] std::uint64_t left() const { return left_; }

 private:
  std::uint64_t limit_;
  std::uint64_t left_;
  bool exhausted_ = false;
};

}  // namespace vyre::space
