#include "choose.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace vyre::learn {
namespace {

double best_of(const std::vector<Trial>& trials, const std::vector<bool>& kept, std::size_t most) {
  std::set<space::Index> seen;
  double best = 1;
  for (const Trial& trial : trials) {
    if (!kept[trial.example] || seen.contains(trial.member)) continue;
    if (seen.size() == most) break;
    seen.insert(trial.member);
    best = std::max(best, trial.gain);
  }
  return best;
}

double score(const Trials& trials, const std::vector<bool>& kept) {
  return geometric_mean(left_out_gains(trials, kept));
}

}  // namespace

std::vector<double> left_out_gains(const Trials& trials, const std::vector<bool>& kept,
                                   std::size_t most) {
  std::vector<double> gains;
  for (const auto& of : trials) gains.push_back(best_of(of, kept, most));
  return gains;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? 1 : std::exp(sum / static_cast<double>(values.size()));
}

std::vector<bool> choose(const Trials& trials, std::size_t count) {
  std::vector<bool> kept(count, true);
  double best = score(trials, kept);
  for (bool changed = true; changed;) {
    changed = false;
    std::size_t leaving = count;
    for (std::size_t i = 0; i < count; ++i) {
      if (!kept[i]) continue;
      kept[i] = false;
      const double without = score(trials, kept);
      kept[i] = true;
      if (without < best || (leaving < count && without == best)) continue;
      best = without;
      leaving = i;
    }
    if (leaving < count) {
      kept[leaving] = false;
      changed = true;
    }
  }
  return kept;
}

}  // namespace vyre::learn
