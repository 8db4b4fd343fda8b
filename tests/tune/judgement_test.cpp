#include "tune/judgement.h"

#include <gtest/gtest.h>

namespace vyre::tune {
namespace {

using measure::Rank;

// A row of a race with these times, in nanoseconds, in its rounds. What it took alone before the
// race, a thousand times as long, must not count.
trial::Row row(Rank rank, std::vector<double> rounds, measure::Interval ratio = {1, 1}) {
  trial::Row made{.name = "", .outcome = {}, .time_ns = 1000 * rounds[0], .standing = {}};
  made.outcome.measured = measure::Measurement{};
  measure::Standing standing{.rank = rank, .ratio_interval = ratio};
  for (const double ns : rounds) {
    standing.samples.push_back({.wall_ns = ns, .cpu_ns = 0, .launches = 1});
    made.outcome.measured->samples.push_back({.wall_ns = 1000 * ns, .cpu_ns = 0, .launches = 1});
  }
  made.standing = std::move(standing);
  return made;
}

trial::Row failed() {
  return {.name = "", .outcome = {.verdict = Verdict::runtime}, .standing = {}};
}

trial::Report race(std::vector<trial::Row> rows, std::optional<std::size_t> winner) {
  return {.adapter = {}, .rows = std::move(rows), .winner = winner};
}

TEST(Judgement, OfAFasterMemberIsByTheRoundsInWhichBothRan) {
  const auto made = judge(race(
      {row(Rank::slower, {30, 32, 31}, {2.5, 3.5}), row(Rank::winner, {10, 11, 12, 100, 100, 100})},
      1));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->gain, Gain::faster);
  EXPECT_EQ(made->winner, 1U);
  EXPECT_EQ(made->elapsed.value, 11);
  EXPECT_LE(made->elapsed.interval.high, 12);
  EXPECT_EQ(made->samples, 3U);
  ASSERT_TRUE(made->baseline);
  EXPECT_EQ(made->baseline->elapsed.value, 31);
  EXPECT_EQ(made->baseline->speedup, (measure::Estimate{31.0 / 11, {2.5, 3.5}}));
}

TEST(Judgement, HasAnIntervalThatHoldsTheRatioOfTheTimesShown) {
  const auto made =
      judge(race({row(Rank::slower, {40, 40}, {2.5, 3.5}), row(Rank::winner, {10, 10})}, 1));
  ASSERT_TRUE(made && made->baseline);
  EXPECT_EQ(made->baseline->speedup, (measure::Estimate{4, {2.5, 4}}));
}

TEST(Judgement, OfATieIsTheOriginalAndClaimsNothing) {
  const auto made =
      judge(race({row(Rank::tied, {11, 12, 13}, {0.9, 1.2}), row(Rank::winner, {10, 11, 12})}, 1));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->gain, Gain::tied);
  EXPECT_EQ(made->winner, 0U);
  EXPECT_EQ(made->elapsed.value, 12);
  ASSERT_TRUE(made->baseline);
  EXPECT_EQ(made->baseline->speedup, (measure::Estimate{1, {1, 1}}));
}

TEST(Judgement, OfTheOriginalAsTheFastestSaysSo) {
  const auto made = judge(race({row(Rank::winner, {10, 10}), row(Rank::slower, {20, 20})}, 0));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->gain, Gain::none);
  EXPECT_EQ(made->winner, 0U);
  trial::Row too_slow = row(Rank::slower, {20, 20});
  too_slow.standing.reset();
  EXPECT_EQ(judge(race({row(Rank::winner, {10, 10}), too_slow}, 0))->gain, Gain::none);
}

TEST(Judgement, OfTheOriginalAloneComparesNothing) {
  for (const auto& rows :
       {std::vector{row(Rank::winner, {10})}, std::vector{row(Rank::winner, {10}), failed()}}) {
    const auto made = judge(race(rows, 0));
    ASSERT_TRUE(made);
    EXPECT_EQ(made->gain, Gain::alone);
  }
}

TEST(Judgement, OfAnOriginalThatFailedInTheRaceHasNoBaseline) {
  const auto made = judge(race({failed(), row(Rank::winner, {10, 12, 14})}, 1));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->gain, Gain::unknown);
  EXPECT_EQ(made->winner, 1U);
  EXPECT_EQ(made->elapsed.value, 12);
  EXPECT_FALSE(made->baseline);
}

TEST(Judgement, OfARaceThatNobodyFinishedIsAnError) {
  EXPECT_FALSE(judge(race({failed(), failed()}, {})));
}

}  // namespace
}  // namespace vyre::tune
