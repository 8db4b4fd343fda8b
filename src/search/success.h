// How likely a candidate is to compile and run: the share of successes among what was tried near
// it, where near is what the covariance says,
//
//   p(x) = (a p0 + sum_good k(x, x_i)) / (a + sum_all k(x, x_i)),   p0 = (good + 1) / (all + 1).
//
// Failures say nothing about time, so they stay out of the regression and act only here: what a
// candidate promises is multiplied by p^2. The square is for the optimum that the regression
// expects where nothing runs, which p alone does not outweigh.
#pragma once

#include <cstddef>
#include <vector>

#include "search/history.h"
#include "search/surrogate.h"

namespace vyre::search {

class Success {
 public:
  // From what was told so far; of a long history only the last part.
  void rebuild(const History& history, const Features& features, const Surrogate& surrogate);
  // Nothing had failed when it was rebuilt.
  [[nodiscard]] bool is_certain() const { return all_.empty(); }
  void add(const History::Entry& entry, const Features& features, const Surrogate& surrogate);
  // After another candidate was put into the slot.
  void replace(std::size_t slot, Index candidate, const History& history, const Features& features,
               const Surrogate& surrogate);

  // 2 log p(x); 0 until something failed.
  [[nodiscard]] float log_weight(std::size_t slot, const History& history) const;

 private:
  [[nodiscard]] static std::span<const History::Entry> recent(const History& history);

  std::vector<Lanes> all_, good_;
};

}  // namespace vyre::search
