// A number that was measured, and how sure it is. What the numbers mean (nanoseconds, a ratio) is
// said where they are used.
#pragma once

namespace vyre::measure {

struct Interval {
  double low = 0;
  double high = 0;
  bool operator==(const Interval&) const = default;
};

// A number and the interval that holds it, 95 % if nothing else is said.
struct Estimate {
  double value = 0;
  Interval interval;
  bool operator==(const Estimate&) const = default;
};

}  // namespace vyre::measure
