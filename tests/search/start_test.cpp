#include "search/start.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "search/grid.h"

namespace vyre::search {
namespace {

using space::Index;

// Twenty-one powers of two: the logarithms are evenly spread.
space::Space line() {
  std::vector<space::Value> powers;
  for (int p = 0; p <= 20; ++p) powers.emplace_back(std::int64_t{1} << p);
  return grid({powers});
}

std::vector<Index> start_of(const space::Space& space, std::size_t count, std::uint64_t seed) {
  const Features features(space, {});
  Asked asked(space.size());
  Random random(seed);
  std::vector<Index> points;
  while (points.size() < count) {
    const auto next = start_point(features, asked, points, random);
    if (!next) break;
    EXPECT_FALSE(asked.contains(*next));
    asked.add(*next);
    points.push_back(*next);
  }
  return points;
}

TEST(Start, BeginsNearTheMiddleAndGoesOnAtTheEnds) {
  const space::Space space = grid({line().parameters()[0].values, line().parameters()[0].values});
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto points = start_of(space, 5, seed);
    for (std::size_t p = 0; p < 2; ++p) EXPECT_NEAR(space.digit(points[0], p), 10, 5) << seed;
    // Each of the next is nearer to a corner of its own than to the middle.
    std::vector<bool> corner(4, false);
    for (std::size_t i = 1; i < 5; ++i) {
      const bool right = space.digit(points[i], 0) > 10;
      const bool top = space.digit(points[i], 1) > 10;
      corner[(right ? 1U : 0U) + (top ? 2U : 0U)] = true;
    }
    EXPECT_EQ(std::count(corner.begin(), corner.end(), true), 4) << seed;
  }
}

TEST(Start, NamesEachConfigurationOnceAndThenNothing) {
  EXPECT_EQ(start_of(line(), 100, 1).size(), 21U);
}

TEST(Start, IsTheSameForASeed) {
  EXPECT_EQ(start_of(line(), 8, 3), start_of(line(), 8, 3));
  EXPECT_NE(start_of(line(), 8, 3), start_of(line(), 8, 4));
}

TEST(Start, WorksWhereNothingTellsConfigurationsApart) {
  EXPECT_EQ(start_of(grid({{1}}), 3, 1), std::vector<Index>{0});
}

}  // namespace
}  // namespace vyre::search
