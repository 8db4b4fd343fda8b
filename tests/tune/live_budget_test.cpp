#include "tune/live_budget.h"

#include <gtest/gtest.h>

namespace vyre::tune {
namespace {

using namespace std::chrono_literals;

TEST(LiveBudgets, AllowASmallPartOfTheTimeToAKernelThatGainsNothing) {
  LiveSpending so_far{.elapsed = 60s, .launch = 1ms, .gained = 0s, .spent = 2s, .cores = 2};
  EXPECT_TRUE(may_spend(so_far, 0.2));
  so_far.spent = 3s;  // a second and a half of 60, of both cores
  EXPECT_FALSE(may_spend(so_far, 0.2));
  EXPECT_TRUE(may_spend(so_far, 1.0));
}

TEST(LiveBudgets, InvestAQuarterOfWhatWasGainedAtNoMoreThanTheShare) {
  LiveSpending so_far{.elapsed = 100s, .launch = 1ms, .gained = 8s, .spent = 7s, .cores = 2};
  EXPECT_TRUE(may_spend(so_far, 0.2));
  so_far.spent = 9s;  // 2 s that may be lost and 2 s of what was gained, of both cores
  EXPECT_FALSE(may_spend(so_far, 0.2));
  so_far.gained = 1000s;
  EXPECT_TRUE(may_spend(so_far, 0.2));
  so_far.spent = 45s;
  EXPECT_FALSE(may_spend(so_far, 0.2));
}

// One core that is taken may be all of them: what counts is what the program did less.
TEST(LiveBudgets, CountWhatIsLostWhereThatIsMoreThanTheCpuTime) {
  LiveSpending so_far{.elapsed = 60s, .launch = 1ms, .gained = 0s, .spent = 1s, .cores = 2};
  so_far.lost = 1100ms;
  EXPECT_TRUE(may_spend(so_far, 0.2));
  so_far.lost = 1300ms;
  EXPECT_FALSE(may_spend(so_far, 0.2));
  so_far.gained = 4s;
  EXPECT_TRUE(may_spend(so_far, 0.2)) << "a quarter of what was gained pays for it";
  so_far.lost = 1200ms, so_far.gained = -4s;
  EXPECT_FALSE(may_spend(so_far, 0.2));
}

// Most of a second of CPU time at once, where a call has become ten times as fast.
TEST(LiveBudgets, InvestAtOnceWhatALargeGainPaysFor) {
  LiveSpending so_far{.elapsed = 1s, .launch = 1ms, .gained = 10s, .spent = 800ms, .cores = 2};
  EXPECT_TRUE(may_spend(so_far, 0.2));
  so_far.gained = 1s;
  EXPECT_FALSE(may_spend(so_far, 0.2));
}

TEST(LiveBudgets, InvestLessTheMoreWasTriedInVain) {
  LiveSpending so_far{.elapsed = 100s, .launch = 1ms, .gained = 1000s, .spent = 43s, .cores = 2};
  EXPECT_TRUE(may_spend(so_far, 0.2));
  so_far.in_vain = 2;
  EXPECT_FALSE(may_spend(so_far, 0.2));
  so_far.spent = 21s;  // half of the 2 s that may be lost and of 20.2, of both cores
  EXPECT_TRUE(may_spend(so_far, 0.2));
}

TEST(LiveBudgets, BelieveThatAKernelIsCalledAgain) {
  const LiveSpending so_far{.elapsed = 1s, .launch = 40ms, .gained = 0s, .spent = 1s, .cores = 2};
  EXPECT_TRUE(may_spend(so_far, 0.2));
}

TEST(LiveBudgets, VentureMoreTheMoreLikeProgramsGained) {
  LiveSpending so_far{
      .elapsed = 2s, .launch = 10us, .calls = 200'000, .gained = 0s, .spent = 300ms, .cores = 2};
  EXPECT_FALSE(may_spend(so_far, 0.2));
  so_far.expected_gain = 1.1;
  EXPECT_FALSE(may_spend(so_far, 0.2));
  so_far.expected_gain = 3;
  EXPECT_TRUE(may_spend(so_far, 0.2));
  so_far.spent = 800ms;
  EXPECT_FALSE(may_spend(so_far, 0.2));
  so_far.expected_gain = 30;
  EXPECT_TRUE(may_spend(so_far, 0.2));
}

// Of 3,000 calls of a millisecond, 400 are left to gain what a search costs.
TEST(LiveBudgets, VentureNoMoreThanWhatTheCallsToComeMayPayFor) {
  LiveSpending so_far{.elapsed = 3s,
                      .launch = 1ms,
                      .calls = 2600,
                      .spent = 400ms,
                      .cores = 2,
                      .expected_gain = 2.5};
  EXPECT_FALSE(may_spend(so_far, 0.2));
  so_far.calls = 3000;  // and as many again
  EXPECT_TRUE(may_spend(so_far, 0.2));
  so_far.calls = 1000, so_far.expected_gain = 8;
  EXPECT_TRUE(may_spend(so_far, 0.2)) << "2,000 are left, and much is to be gained";
}

TEST(LiveBudgets, GiveAShareByNiceness) {
  EXPECT_EQ(niceness_for(0.5, 1), 0);
  EXPECT_EQ(niceness_for(0.2, 1), 6);
  EXPECT_EQ(niceness_for(0.2, 2), 2);
  EXPECT_EQ(niceness_for(0.2, 16), 0);
  EXPECT_EQ(niceness_for(0.001, 1), 19);
}

}  // namespace
}  // namespace vyre::tune
