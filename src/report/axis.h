// A logarithmic axis: where a value lies between two edges of a drawing, and which round values to
// write beside it. Times of one kernel differ by factors, so every plot of them uses one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace vyre::report {

class LogAxis {
 public:
  // From the least to the greatest of the values, with a little room on both sides. `from` is the
  // edge for small values and may be greater than `to`. Requires: values, all of them
  // drawable (units.h).
  LogAxis(std::span<const double> values, double from, double to);

  // Values outside are drawn at the edge.
  [[nodiscard]] double at(double value) const;
  // The value at a part of the way, 0 to 1.
  [[nodiscard]] double value_at(double part) const;
  // Two to about `most` round values, rising.
  [[nodiscard]] std::vector<double> ticks(std::size_t most) const;

 private:
  double low_ = 0;  // decimal logarithms
  double high_ = 1;
  double from_;
  double to_;
};

}  // namespace vyre::report
