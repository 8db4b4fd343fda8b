#include "tune/live_budget.h"

#include <algorithm>
#include <cmath>

namespace vyre::tune {
namespace {

// Of the time it has run, for a share of a fifth.
constexpr double lost_at_most = 0.02;
constexpr double usual_share = 0.2;
// Calls that a kernel which was called a few times is believed to get.
constexpr double calls_to_come = 2000;
constexpr double invested = 0.5;

}  // namespace

bool may_spend(const LiveSpending& so_far, double share) {
  if (share >= 1) return true;
  using Seconds = std::chrono::duration<double>;
  const Seconds run = std::max(Seconds(so_far.elapsed), Seconds(so_far.original) * calls_to_come);
  const Seconds allowed =
      run * (lost_at_most * share / usual_share) + Seconds(so_far.gained) * invested;
  return Seconds(so_far.spent) / std::max(1.0, so_far.cores) < allowed;
}

// Linux gives each step of niceness four fifths of the weight of the one before.
int niceness_for(double share) {
  if (share >= 0.5) return 0;
  const double weight = std::max(share, 0.01) / (1 - std::max(share, 0.01));
  return std::clamp(static_cast<int>(std::lround(std::log(weight) / std::log(0.8))), 0, 19);
}

}  // namespace vyre::tune
