#include "vyre/tune/resize.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

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

TEST(Resize, ASizeThatWasLeftIsReturnedToOnlyWhenThingsHaveBecomeWorse) {
  Resizer resizer;
  EXPECT_EQ(resizer.next(seen(64, 0.5)), 128U);            // too slow: doubled
  EXPECT_EQ(resizer.next(seen(128, 0.6, 200'000)), 128U);  // idle, but 64 was worse
  EXPECT_EQ(resizer.next(seen(128, 0.3, 200'000)), 128U);  // worse than 64 was, but not by half
  EXPECT_EQ(resizer.next(seen(128, 0.2, 200'000)), 64U);   // new evidence
  EXPECT_EQ(resizer.next(seen(64, 0.15)), 64U);            // 128 did 0.2: not half
  EXPECT_EQ(resizer.next(seen(64, 0.09)), 128U);
}

// Whatever the reports say, the number of changes is small: the hostile feedback asks for another
// size every time.
TEST(Resize, CannotOscillate) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    Resizer resizer;
    std::uint32_t size = 128;
    int changes = 0;
    for (int i = 0; i < 2000; ++i) {
      const bool idle = random() % 2 == 0;
      const double throughput = 0.5 + 0.4 * std::ldexp(random(), -32);  // noise of 80 %
      const std::uint32_t next = resizer.next(seen(size, throughput, idle ? 200'000 : 0));
      changes += next != size ? 1 : 0;
      size = next;
    }
    EXPECT_LE(changes, 5);  // there are six sizes, and none is returned to
  }
}

}  // namespace
}  // namespace vyre::tune
