// Random numbers, and what is drawn with them.
#include "search/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "search/asked.h"

namespace vyre::search {
namespace {

TEST(Random, EveryOrderIsAsLikely) {
  Random random(1);
  std::map<std::vector<int>, int> counts;
  for (int round = 0; round < 6'000; ++round) {
    std::vector<int> values = {1, 2, 3};
    random.shuffle(values);
    ++counts[values];
  }
  EXPECT_EQ(counts.size(), 6U);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1'000, 5 * std::sqrt(1'000.0));
}

TEST(Random, WhatIsBeforeTheFirstIsNotShuffled) {
  Random random(2);
  std::map<int, int> third;
  for (int round = 0; round < 3'000; ++round) {
    std::vector<int> values = {1, 2, 3, 4, 5};
    random.shuffle(values, 2);
    EXPECT_EQ(values[0], 1);
    EXPECT_EQ(values[1], 2);
    ++third[values[2]];
    std::ranges::sort(values);
    EXPECT_EQ(values, (std::vector<int>{1, 2, 3, 4, 5}));
  }
  for (const int value : {3, 4, 5}) EXPECT_NEAR(third[value], 1'000, 5 * std::sqrt(1'000.0));
}

TEST(Random, AUnitIsBetweenZeroAndOneAndEvenlySpread) {
  Random random(3);
  std::vector<int> tenths(10, 0);
  for (int i = 0; i < 10'000; ++i) {
    const double unit = random.unit();
    ASSERT_GT(unit, 0);
    ASSERT_LT(unit, 1);
    ++tenths[static_cast<std::size_t>(unit * 10)];
  }
  for (const int count : tenths) EXPECT_NEAR(count, 1'000, 5 * std::sqrt(1'000.0));
}

TEST(Random, NeighbouringSeedsHaveNothingInCommon) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(seen.insert(random.next()).second);
  }
}

TEST(Asked, CountsEachOnce) {
  Asked asked(3);
  for (const space::Index index : {0U, 0U, 2U}) asked.add(index);
  EXPECT_TRUE(asked.contains(0) && !asked.contains(1) && asked.contains(2));
  EXPECT_FALSE(asked.all());
  asked.add(1);
  EXPECT_TRUE(asked.all());
  Random random(1);
  EXPECT_EQ(asked.draw(random), std::nullopt);
}

TEST(Asked, DrawsEveryFreeOneAndNoOther) {
  Random random(4);
  Asked asked(10);
  for (const space::Index index : {0U, 3U, 9U}) asked.add(index);
  std::map<space::Index, int> drawn;
  for (int i = 0; i < 7'000; ++i) ++drawn[*asked.draw(random)];
  EXPECT_EQ(drawn.size(), 7U);
  for (const auto& [index, count] : drawn) {
    EXPECT_FALSE(asked.contains(index));
    EXPECT_NEAR(count, 1'000, 5 * std::sqrt(1'000.0));
  }
}

TEST(Asked, FindsTheLastFreeOneOfMany) {
  Random random(5);
  for (const space::Index last : {0U, 1U, 54'321U, 99'999U}) {
    Asked asked(100'000);
    for (space::Index i = 0; i < 100'000; ++i) {
      if (i != last) asked.add(i);
    }
    EXPECT_EQ(asked.draw(random), last);
  }
}

}  // namespace
}  // namespace vyre::search
