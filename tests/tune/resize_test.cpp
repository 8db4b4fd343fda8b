#include "tune/resize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace vyre::tune {
namespace {

Feedback seen(std::uint32_t size, double throughput, std::uint64_t idle_us = 0) {
  return {.idle_us = idle_us, .size = size, .throughput_per_us = throughput};
}

TEST(Resize, IdleAboveTheLimitHalvesButNotBelowTheLeast) {
  EXPECT_EQ(Resizer().next(seen(128, 2, 100'001)), 64U);
  EXPECT_EQ(Resizer().next(seen(128, 0.5, 100'001)), 64U);
  EXPECT_EQ(Resizer().next(seen(48, 2, 100'001)), 32U);
  EXPECT_EQ(Resizer().next(seen(32, 2, 100'001)), 32U);
  EXPECT_EQ(Resizer().next(seen(128, 2, 100'000)), 128U);
}

TEST(Resize, ThroughputBelowSaturationDoublesButNotAboveTheMost) {
  EXPECT_EQ(Resizer().next(seen(128, 0.99)), 256U);
  EXPECT_EQ(Resizer().next(seen(768, 0.99)), 1024U);
  EXPECT_EQ(Resizer().next(seen(1024, 0.5)), 1024U);
  EXPECT_EQ(Resizer().next(seen(128, 1.0)), 128U);
}

TEST(Resize, ThroughputIsOperationsPerMicrosecondIfNotGiven) {
  EXPECT_EQ(Resizer().next({.operations = 99, .wall_us = 100, .size = 64}), 128U);
  EXPECT_EQ(Resizer().next({.operations = 100, .wall_us = 100, .size = 64}), 64U);
  EXPECT_EQ(Resizer().next({.operations = 0, .wall_us = 0, .size = 64}), 128U);
}

TEST(Resize, TheLimitsCanBeChosen) {
  Resizer resizer({.max = 256, .min = 64, .saturation = 8, .idle_limit_us = 10});
  EXPECT_EQ(resizer.next(seen(128, 9, 11)), 64U);
  EXPECT_EQ(resizer.next(seen(64, 9, 11)), 64U);
  EXPECT_EQ(Resizer({.max = 256, .saturation = 8}).next(seen(128, 7)), 256U);
}

TEST(Resize, ASizeThatWasLeftBecauseItWasWorseIsReturnedToOnlyOnNewEvidence) {
  Resizer resizer;
  EXPECT_EQ(resizer.next(seen(64, 0.5)), 128U);            // too slow: doubled
  EXPECT_EQ(resizer.next(seen(128, 0.6, 200'000)), 128U);  // idle, but 64 was worse
  EXPECT_EQ(resizer.next(seen(128, 0.3, 200'000)), 128U);  // worse than 64 was, but not by half
  EXPECT_EQ(resizer.next(seen(128, 0.2, 200'000)), 64U);   // new evidence
  EXPECT_EQ(resizer.next(seen(64, 0.25)), 64U);            // better than 128 was
  EXPECT_EQ(resizer.next(seen(64, 0.11)), 64U);            // worse than 128 was, but not by half
  EXPECT_EQ(resizer.next(seen(64, 0.09)), 128U);
}

TEST(Resize, ASizeThatWasBetterThanTheOneItWasLeftForIsReturnedTo) {
  Resizer resizer;
  EXPECT_EQ(resizer.next(seen(128, 1.5, 200'000)), 64U);   // good, but idle
  EXPECT_EQ(resizer.next(seen(64, 0.9)), 128U);            // 64 does less than 128 did
  EXPECT_EQ(resizer.next(seen(128, 1.5, 200'000)), 128U);  // now it is 64 that was worse
  EXPECT_EQ(resizer.next(seen(128, 0.5, 200'000)), 128U);
  EXPECT_EQ(resizer.next(seen(128, 0.4, 200'000)), 64U);  // less than half of what 64 did
  EXPECT_EQ(resizer.next(seen(64, 0.3)), 64U);            // the second return asks for more
  EXPECT_EQ(resizer.next(seen(64, 0.19)), 128U);
}

TEST(Resize, AThroughputBelowZeroOrNoNumberIsNone) {
  for (const double none : {-5.0, std::nan(""), -HUGE_VAL}) {
    Resizer resizer;
    EXPECT_EQ(resizer.next(seen(64, none)), 128U);
    EXPECT_EQ(resizer.next(seen(128, 0.0, 200'000)), 128U) << none;  // 64 did no less
  }
}

TEST(Resize, DoublingNeverWrapsAround) {
  constexpr std::uint32_t all = std::numeric_limits<std::uint32_t>::max();
  EXPECT_EQ(Resizer({.max = all}).next(seen(1U << 30U, 0)), 1U << 31U);
  EXPECT_EQ(Resizer({.max = all}).next(seen(1U << 31U, 0)), all);
  EXPECT_EQ(Resizer({.max = all}).next(seen(all, 0)), all);
  EXPECT_EQ(Resizer({.max = 1U << 31U}).next(seen((1U << 30U) + 1, 0)), 1U << 31U);
}

TEST(Resize, ASizeOfZeroIsNoneYetAndGetsTheLeast) {
  EXPECT_EQ(Resizer().next(seen(0, 0.5)), 32U);
  EXPECT_EQ(Resizer().next(seen(0, 5, 200'000)), 32U);
  Resizer resizer({.min = 0});
  EXPECT_EQ(resizer.next(seen(0, 5)), 1U);
  EXPECT_EQ(resizer.next(seen(1, 0.5)), 2U) << "nothing was learned of it";
}

TEST(Resize, AThroughputThatIsNoNumberIsNoneAlsoOfASizeThatWasSeen) {
  Resizer resizer;
  EXPECT_EQ(resizer.next(seen(64, 0.5)), 128U);
  EXPECT_EQ(resizer.next(seen(128, std::nan(""), 200'000)), 64U);  // 0 is less than 64 did
}

TEST(Resize, TheLimitsCanChangeBetweenReports) {
  Resizer resizer({.saturation = 1});
  EXPECT_EQ(resizer.next(seen(64, 2)), 64U);
  resizer.limit({.saturation = 3});
  EXPECT_EQ(resizer.next(seen(64, 2)), 128U);
}

TEST(Resize, WhatWasSeenOfASizeIsForgottenAfterSoManyReports) {
  Resizer resizer({.memory = 3});
  EXPECT_EQ(resizer.next(seen(64, 0.5)), 128U);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(resizer.next(seen(128, 2, 200'000)), 128U) << i;
  EXPECT_EQ(resizer.next(seen(128, 2, 200'000)), 64U);
}

// How often the size changes under reports that ask for another one every time, by turns at random.
// Throughput is anything from 1 down to 1 / factor.
int changes_under_noise(double factor, std::mt19937& random) {
  Resizer resizer;
  std::uint32_t size = 128;
  int changes = 0;
  for (int i = 0; i < 2000; ++i) {
    const bool idle = random() % 2 == 0;
    const double throughput = 0.99 * std::pow(factor, -std::ldexp(random(), -32));
    const std::uint32_t next = resizer.next(seen(size, throughput, idle ? 200'000 : 0));
    changes += next != size ? 1 : 0;
    size = next;
  }
  return changes;
}

// Between two neighbours, of six sizes, the first change and the two returns after it are to be had
// for less than before; then it takes a half, a half, a quarter, a quarter, ... of what was.
TEST(Resize, CannotOscillate) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    EXPECT_LE(changes_under_noise(1.8, random), 5 * 3);
    EXPECT_LE(changes_under_noise(100, random), 5 * 7);  // 1 + 1 + 2 + 2 < log2(100) < 9
  }
}

}  // namespace
}  // namespace vyre::tune
