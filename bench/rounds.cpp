#include "rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bench.h"

namespace vyre::bench {

std::vector<std::vector<double>> take_turns(const std::vector<Side>& sides, int rounds) {
  constexpr int warm_up = 2;
  std::vector<std::vector<double>> times(sides.size());
  for (int round = 0; round < warm_up + rounds; ++round) {
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::size_t side = (i + static_cast<std::size_t>(round)) % sides.size();
      const double took = wall_ns(sides[side].work);
      if (round >= warm_up) times[side].push_back(took);
    }
  }
  return times;
}

double best_other_to_first(const std::vector<std::vector<double>>& times) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < times[0].size(); ++round) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t side = 1; side < times.size(); ++side)
      best = std::min(best, times[side][round]);
    ratios.push_back(best / times[0][round]);
  }
  return median(ratios);
}

std::string medians(const std::vector<Side>& sides, const std::vector<std::vector<double>>& times) {
  std::string text;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    text += fmt::format("{}{} {:.0f} us", text.empty() ? "" : ", ", sides[side].name,
                        median(times[side]) / 1e3);
  }
  return text;
}

}  // namespace vyre::bench
