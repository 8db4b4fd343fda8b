// What paired measurements say of two candidates: how much slower the first is, and how surely.
//
// The logarithm d of the ratio of two times taken one after the other is modelled as
// d = delta + sigma t3, with t3 of Student's distribution with 3 degrees of freedom, whose heavy
// tails forgive bursts that hit one side of a pair. delta has a Cauchy prior of scale 0.1, log
// sigma a flat one; the posterior is summed on a grid, so that it can be looked at after every
// pair. See Lange, Little and Taylor, "Robust statistical modeling using the t distribution", 1989.
#pragma once

#include <cstddef>
#include <vector>

#include "measure/statistics.h"

namespace vyre::measure {

class Evidence {
 public:
  Evidence();

  // The times of one pair; both above 0.
  void add(double first, double second);
  [[nodiscard]] std::size_t pairs() const { return logs_.size(); }

  // Probabilities, all of the prior before the first pair.
  [[nodiscard]] double first_is_slower_by(double margin) const;  // by more than that part
  [[nodiscard]] double within(double margin) const;              // of each other

  // The ratio first / second: its median and the interval that holds it with this probability; of
  // times a factor of two or more apart, the median of the pairs and its bootstrap interval.
  [[nodiscard]] double ratio() const;
  [[nodiscard]] Interval ratio_interval(double confidence = 0.95) const;

 private:
  // Of each delta, in order.
  [[nodiscard]] std::vector<double> probabilities() const;
  [[nodiscard]] double delta_at(double probability) const;
  [[nodiscard]] bool is_beyond_the_grid() const;

  std::vector<double> logs_;        // of the ratio of each pair
  std::vector<double> log_weight_;  // of each delta and sigma, up to a constant
};

}  // namespace vyre::measure
