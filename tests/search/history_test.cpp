#include "search/history.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace vyre::search {
namespace {

// Configurations 0, 1, ... with these logarithms of their times.
History history_of(const std::vector<double>& log_times) {
  History history;
  for (Index i = 0; i < log_times.size(); ++i) history.add(i, {.time = std::exp(log_times[i])});
  return history;
}

TEST(History, OfTwoAnswersTheLastCounts) {
  History history;
  EXPECT_FALSE(history.add(3, {.time = 1}));
  EXPECT_FALSE(history.add(5, {.time = 2}));
  EXPECT_TRUE(history.add(3, {.verdict = Verdict::runtime}));
  EXPECT_EQ(history.size(), 2U);
  EXPECT_EQ(history.good(), 1U);
  EXPECT_TRUE(history.any_failed());
  EXPECT_TRUE(history.add(3, {.time = 4}));
  EXPECT_EQ(history.good_indices(), (std::vector<Index>{3, 5}));
  EXPECT_DOUBLE_EQ(history.find(3)->log_time, std::log(4));
  EXPECT_EQ(history.find(4), nullptr);
}

TEST(History, TheFastestComeFirstAndOfEqualOnesTheLowerIndex) {
  const History history = history_of({3, 1, 2, 1});
  EXPECT_EQ(history.fastest(3), (std::vector<Index>{1, 3, 2}));
  EXPECT_EQ(history.fastest(9).size(), 4U);
}

TEST(History, WhatFailedIsNotAmongTheFastest) {
  History history = history_of({3, 1});
  history.add(2, {.verdict = Verdict::compile, .time = 0.001});
  history.add(3, {.time = std::nan("")});
  EXPECT_EQ(history.fastest(9), (std::vector<Index>{1, 0}));
}

TEST(History, TargetsHaveMeanZeroAndDeviationOne) {
  const History history = history_of({0.5, 0.7, 1.1, 0.4, 0.9, 0.8});
  const std::vector<Index> of = {0, 1, 2, 3, 4, 5};
  const Targets targets = history.targets(of);
  double squares = 0;
  for (const double y : targets.values) squares += y * y;
  EXPECT_NEAR(std::accumulate(targets.values.begin(), targets.values.end(), 0.0), 0, 1e-12);
  EXPECT_NEAR(squares / 6, 1, 1e-4);
  EXPECT_EQ(targets.best, targets.values[3]);
}

// The best is at 0 and the median at 2, so what is beyond 4 counts as 4.
TEST(History, SlowTimesAreDrawnInToTwiceTheDistanceOfTheMedian) {
  const std::vector<Index> of = {0, 1, 2, 3, 4};
  const Targets targets = history_of({0, 1, 2, 3, 100}).targets(of);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(targets.values[i], (static_cast<double>(i) - 2) / std::sqrt(2.0), 1e-5);
  }
  EXPECT_NEAR(targets.deviation, std::sqrt(2.0), 1e-5);
}

TEST(History, TheBestTargetIsOfAllThatWasToldNotOfTheRowsAlone) {
  const std::vector<Index> of = {0, 2};
  const Targets targets = history_of({1, 0, 3}).targets(of);
  EXPECT_NEAR(targets.best, -2, 1e-5);  // mean 2, deviation 1
}

TEST(History, EqualTimesHaveFiniteTargets) {
  const std::vector<Index> of = {0, 1, 2};
  for (const double y : history_of({1, 1, 1}).targets(of).values) EXPECT_NEAR(y, 0, 1e-9);
}

TEST(History, TheMedianNoiseIsOfWhatDidNotFail) {
  History history;
  EXPECT_EQ(history.median_noise(), 0);
  history.add(0, {.verdict = Verdict::compile, .noise = 0.9});
  for (const Index i : {1U, 2U, 3U}) history.add(i, {.time = 1, .noise = 0.01 * i});
  EXPECT_EQ(history.median_noise(), 0.02);
}

TEST(History, TheCostIsKeptAsItsLogarithmAlsoOfWhatFailed) {
  History history;
  history.add(0, {.time = 1, .cost = 100});
  history.add(1, {.verdict = Verdict::compile, .cost = 0.5});
  history.add(2, {.time = 1, .cost = 0});
  history.add(3, {.time = 1, .cost = -2});
  history.add(4, {.time = 1, .cost = HUGE_VAL});
  EXPECT_DOUBLE_EQ(history.find(0)->log_cost, std::log(100.0));
  EXPECT_DOUBLE_EQ(history.find(1)->log_cost, std::log(0.5));
  for (const Index none : {2U, 3U, 4U}) EXPECT_EQ(history.find(none)->log_cost, 0);
}

// Three times say too little of what is slow; of four the third is the median.
TEST(History, OnlyFromFourTimesOnAreSlowOnesDrawnIn) {
  const std::vector<Index> three = {0, 1, 2};
  const Targets raw = history_of({0, 1, 100}).targets(three);
  EXPECT_NEAR((raw.values[2] - raw.values[0]) / (raw.values[1] - raw.values[0]), 100, 1e-3);
  const std::vector<Index> four = {0, 1, 2, 3};
  const Targets drawn = history_of({0, 1, 2, 100}).targets(four);
  EXPECT_NEAR((drawn.values[3] - drawn.values[0]) / (drawn.values[1] - drawn.values[0]), 4, 1e-3);
}

TEST(History, NoiseThatIsNoErrorIsNotKnownAndTooMuchIsBounded) {
  History history;
  history.add(0, {.time = 1, .noise = 0.02});
  history.add(1, {.time = 1, .noise = std::nan("")});
  history.add(2, {.time = 1, .noise = -3});
  history.add(3, {.time = 1, .noise = 1e9});
  EXPECT_EQ(history.find(0)->noise, 0.02);
  EXPECT_EQ(history.find(1)->noise, 0);
  EXPECT_EQ(history.find(2)->noise, 0);
  EXPECT_EQ(history.find(3)->noise, 1);
}

}  // namespace
}  // namespace vyre::search
