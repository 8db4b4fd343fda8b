#include "search/start.h"

#include <algorithm>
#include <vector>

namespace vyre::search {
namespace {

constexpr std::size_t spread_draws = 100;
constexpr std::size_t most_before = 64;
constexpr std::uint32_t middle_share = 8;  // the first is the most central of so many-th of all
constexpr std::size_t most_middle_draws = 10'000;

float distance(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
  for (std::size_t f = 0; f < a.size(); ++f) sum += (a[f] - b[f]) * (a[f] - b[f]);
  return sum;
}

// The draw with the greatest value.
template <class Value>
std::optional<space::Index> best_of(std::size_t draws, const Asked& asked, Random& random,
                                    const Value& value) {
  std::optional<space::Index> best;
  float most = 0;
  for (std::size_t i = 0; i < draws; ++i) {
    const auto index = asked.draw(random);
    if (!index) return std::nullopt;
    const float v = value(*index);
    if (!best || v > most) {
      best = index;
      most = v;
    }
  }
  return best;
}

}  // namespace

std::optional<space::Index> start_point(const Features& features, const Asked& asked,
                                        std::span<const space::Index> before, Random& random) {
  if (before.empty()) {
    const std::vector<float> middle(features.count(), 0.5F);
    const auto draws = std::min<std::size_t>(asked.size() / middle_share + 1, most_middle_draws);
    return best_of(draws, asked, random,
                   [&](space::Index index) { return -distance(features.row(index), middle); });
  }
  std::vector<std::vector<float>> others;
  for (const space::Index index : before.last(std::min(before.size(), most_before))) {
    others.push_back(features.row(index));
  }
  return best_of(spread_draws, asked, random, [&](space::Index index) {
    const std::vector<float> x = features.row(index);
    float least = distance(x, others[0]);
    for (const auto& other : others) least = std::min(least, distance(x, other));
    return least;
  });
}

}  // namespace vyre::search
