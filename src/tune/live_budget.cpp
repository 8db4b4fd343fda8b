#include "tune/live_budget.h"

#include <algorithm>
#include <cmath>

namespace vyre::tune {
namespace {

// Of the time it has run, for a share of a fifth.
constexpr double lost_at_most = 0.02;
constexpr double usual_share = 0.2;
// That a kernel which was called a few times is believed to get.
constexpr double calls_in_all = 3000;
constexpr double invested = 0.25;
// Of what was gained, as if it had run for so much longer: the sooner the better.
constexpr std::chrono::seconds head_start(1);
// After so many members that were not better, half as much.
constexpr double patience = 2;
// Of the time it has run, for each factor of two that is expected to be gained.
constexpr double ventured = 0.05;

}  // namespace

bool may_spend(const LiveSpending& so_far, double share) {
  if (share >= 1) return true;
  using Seconds = std::chrono::duration<double>;
  const double appetite = share / usual_share;
  const Seconds run = std::max(Seconds(so_far.elapsed), Seconds(so_far.launch) * calls_in_all);
  const double hope = patience / (patience + static_cast<double>(so_far.in_vain));
  const Seconds at_stake = run * (lost_at_most * appetite * hope);
  const double gain = std::max(1.0, so_far.expected_gain);
  Seconds venture = Seconds(so_far.elapsed) * (ventured * appetite * std::log2(gain));
  if (const double left = calls_in_all - static_cast<double>(so_far.calls); left > 0) {
    const Seconds to_be_gained = Seconds(so_far.launch) * (left * (1 - 1 / gain));
    venture = std::min(venture, to_be_gained * invested);
  }
  const Seconds own_share = Seconds(so_far.elapsed + head_start) * (share * hope);
  const Seconds gained = Seconds(so_far.gained) * invested;
  const Seconds used = Seconds(so_far.spent) / std::max(1.0, so_far.cores);
  const Seconds lost = std::max(used, Seconds(so_far.lost));
  return used < at_stake + std::max(own_share, venture) &&
         lost < at_stake + std::max(gained, venture + std::min(gained, Seconds(0)));
}

// Linux gives each step of niceness four fifths of the weight of the one before.
int niceness_for(double share, double cores) {
  const double of_a_core = std::clamp(share * cores, 0.01, 0.5);
  const double weight = of_a_core / (1 - of_a_core);
  return std::clamp(static_cast<int>(std::lround(std::log(weight) / std::log(0.8))), 0, 19);
}

}  // namespace vyre::tune
