#include "tune/results.h"

#include <gtest/gtest.h>

namespace vyre::tune {
namespace {

using namespace std::chrono_literals;

const std::chrono::sys_seconds noon =
    std::chrono::sys_days(std::chrono::year(2026) / 11 / 16) + 12h;

// Members (16, a), (32, a), (16, b), (32, b).
Family family() {
  const auto space =
      space::Space::of({{"block", {16L, 32L}}, {"mode", {std::string("a"), std::string("b")}}},
                       std::vector<space::Digit>{0, 0, 1, 0, 0, 1, 1, 1});
  return {.name = "doubled", .space = *space, .baseline = 2, .dispatch = {}, .members = {}};
}

// Two samples whose wall times are 2 and 3 ms a launch, and whose CPU times are twice that.
measure::Measurement measured(measure::Basis basis) {
  return {.basis = basis,
          .warm_up = {{.wall_ns = 9e9}},
          .samples = {{.wall_ns = 2e6, .cpu_ns = 4e6, .launches = 10},
                      {.wall_ns = 3e6, .cpu_ns = 6e6, .launches = 10}},
          .estimate_ns = 2.5e6,
          .interval = {2.25e6, 2.75e6}};
}

Tuning tuning() {
  Tuning made;
  made.attempts = {
      {.index = 2,
       .outcome = {.measured = measured(measure::Basis::wall),
                   .costs = {.build = 100ms, .verify = 20ms, .measure = 30ms}},
       .at = 250ms,
       .framework = 100ms},
      {.index = 3,
       .outcome = {.verdict = Verdict::timeout,
                   .reason = "it ran for more than 1 s",
                   .costs = {.build = 50ms, .verify = 1s}},
       .at = 1400ms,
       .framework = 100ms},
      {.index = 0, .outcome = {.measured = measured(measure::Basis::cpu)}, .at = 1500ms}};
  made.finalists = {2, 0};
  made.judgement = {
      .gain = Gain::faster,
      .winner = 1,
      .elapsed = {2e6, {1.5e6, 2.5e6}},
      .baseline = store::Baseline{.elapsed = {3e6, {2.5e6, 3.5e6}}, .speedup = {1.5, {1.25, 1.75}}},
      .samples = 10};
  return made;
}

formats::Results results() {
  return results_of(family(), tuning(), {.name = "A100", .driver = "535.1"}, "natural", noon);
}

TEST(TuningResults, SayWhatWasTunedAndWhere) {
  const formats::Results made = results();
  EXPECT_EQ(made.kernel, "doubled");
  EXPECT_EQ(made.device, "A100");
  EXPECT_EQ(made.driver, "535.1");
  EXPECT_EQ(made.strategy, "natural");
  EXPECT_EQ(made.started, noon);
  EXPECT_EQ(made.parameters, (std::vector<std::string>{"block", "mode"}));
}

TEST(TuningResults, HaveTheAttemptsInTheirOrderWithTheirValues) {
  const formats::Results made = results();
  ASSERT_EQ(made.tried.size(), 3U);
  EXPECT_EQ(made.tried[0].values, (std::vector<space::Value>{16L, std::string("b")}));
  EXPECT_EQ(made.tried[1].values, (std::vector<space::Value>{32L, std::string("b")}));
  EXPECT_EQ(made.tried[2].values, (std::vector<space::Value>{16L, std::string("a")}));
  EXPECT_EQ(made.tried[2].at_s, 1.5);
}

TEST(TuningResults, AreTimesOfALaunchOnTheBasisOfTheMeasurement) {
  const formats::Results made = results();
  EXPECT_EQ(made.tried[0].verdict, Verdict::correct);
  EXPECT_EQ(made.tried[0].time_ms, 2.5);
  EXPECT_EQ(made.tried[0].interval_ms, (measure::Interval{2.25, 2.75}));
  EXPECT_EQ(made.tried[0].runs_ms, (std::vector<double>{2, 3}));
  EXPECT_EQ(made.tried[2].runs_ms, (std::vector<double>{4, 6}));
}

TEST(TuningResults, AFailureHasItsReasonAndNoTime) {
  const formats::Results made = results();
  EXPECT_EQ(made.tried[1].verdict, Verdict::timeout);
  EXPECT_EQ(made.tried[1].reason, "it ran for more than 1 s");
  EXPECT_EQ(made.tried[1].time_ms, 0);
  EXPECT_TRUE(made.tried[1].runs_ms.empty());
}

TEST(TuningResults, WhatComesBeforeTheStepsIsTheCostOfTheFramework) {
  const formats::Results made = results();
  EXPECT_EQ(made.tried[0].cost, (formats::Cost{100, 20, 30, 100}));
  EXPECT_EQ(made.tried[1].cost, (formats::Cost{50, 1000, 0, 100}));
}

TEST(TuningResults, NameTheOriginalAndTheWinnerByTheirAttempts) {
  const formats::Results made = results();
  EXPECT_EQ(made.original, 0U);
  EXPECT_EQ(made.winner, 2U);
  EXPECT_FALSE(made.tied);
  ASSERT_TRUE(made.raced);
  EXPECT_EQ(made.raced->original_ms, (measure::Estimate{3, {2.5, 3.5}}));
  EXPECT_EQ(made.raced->winner_ms, (measure::Estimate{2, {1.5, 2.5}}));
  EXPECT_EQ(made.raced->speedup, (measure::Estimate{1.5, {1.25, 1.75}}));
}

TEST(TuningResults, OfARunThatTriedNothingHaveNoWinner) {
  const auto made = results_of(family(), {}, {}, "random", noon);
  EXPECT_TRUE(made.tried.empty());
  EXPECT_FALSE(made.original);
  EXPECT_FALSE(made.winner);
}

}  // namespace
}  // namespace vyre::tune
