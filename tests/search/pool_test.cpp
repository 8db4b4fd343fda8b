#include "search/pool.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace vyre::search {
namespace {

using space::Index;

std::set<Index> members(const Pool& pool) {
  return {pool.candidates().begin(), pool.candidates().end()};
}

TEST(Pool, ASmallSpaceIsComparedWhole) {
  Pool pool(100, 100);
  Random random(1);
  const std::vector<Index> keep = {5};
  pool.refill(keep, Asked(100), random);
  EXPECT_TRUE(pool.whole());
  ASSERT_EQ(pool.candidates().size(), 100U);
  for (Index i = 0; i < 100; ++i) EXPECT_EQ(pool.slot(i), i);
}

TEST(Pool, OfALargeSpaceItHasTheOnesToKeepAndFreeOnes) {
  Pool pool(10'000, 100);
  Random random(1);
  Asked asked(10'000);
  for (Index i = 0; i < 5'000; ++i) asked.add(i);
  const std::vector<Index> keep = {7'000, 8'000, 9'000};
  pool.refill(keep, asked, random);
  const std::set<Index> found = members(pool);
  EXPECT_EQ(found.size(), 100U);
  EXPECT_GE(*found.begin(), 5'000U);
  for (const Index index : keep) EXPECT_TRUE(found.contains(index));
}

TEST(Pool, EveryFreeConfigurationHasTheSameChance) {
  Random random(2);
  const Asked asked(1'000);
  std::vector<double> drawn(1'000, 0.0);
  for (int round = 0; round < 400; ++round) {
    Pool pool(1'000, 100);
    pool.refill({}, asked, random);
    for (const Index index : pool.candidates()) drawn[index] += 1;
  }
  for (const double count : drawn) EXPECT_NEAR(count, 40, 5 * std::sqrt(40.0));
}

TEST(Pool, IsFullAlsoWhereLittleIsFree) {
  Pool pool(1'000, 100);
  Random random(3);
  Asked asked(1'000);
  for (Index i = 0; i < 990; ++i) asked.add(i);
  pool.refill({}, asked, random);
  const std::set<Index> found = members(pool);
  EXPECT_EQ(found.size(), 100U);
  for (Index i = 990; i < 1'000; ++i) EXPECT_TRUE(found.contains(i)) << i;
}

TEST(Pool, WhatIsInsertedTakesThePlaceOfAnother) {
  Pool pool(1'000, 50);
  Random random(4);
  pool.refill({}, Asked(1'000), random);
  const std::set<Index> before = members(pool);
  Index added = 0;
  while (before.contains(added)) ++added;
  EXPECT_FALSE(pool.slot(added));
  const std::size_t slot = pool.insert(added, random);
  EXPECT_EQ(pool.slot(added), slot);
  EXPECT_EQ(pool.candidates()[slot], added);
  EXPECT_EQ(members(pool).size(), 50U);
  std::size_t gone = 0;
  for (const Index index : before) gone += pool.slot(index) ? 0U : 1U;
  EXPECT_EQ(gone, 1U);
}

}  // namespace
}  // namespace vyre::search
