// The expected numbers were computed with the methodology's definition in Python, on the same made
// up space; the baseline in time is drawn at random there and here, so those agree to 0.01.
#include "vyre/search/score.h"

#include <gtest/gtest.h>

#include <cmath>

#include "vyre/search/replay.h"

namespace vyre::search {
namespace {

constexpr std::size_t size = 400;

Scorer made_up() {
  std::vector<double> times;
  std::vector<double> costs;
  for (std::size_t i = 0; i < size; ++i) {
    times.push_back(i % 7 == 3 ? std::nan("") : 1 + static_cast<double>(i * 37 % size) / 10);
    costs.push_back(static_cast<double>(100 + i * 53 % 200));
  }
  return *Scorer::make(times, costs);
}

std::vector<Index> walk(std::size_t step, std::size_t first) {
  std::vector<Index> trace;
  for (std::size_t k = 0; k < 120; ++k) {
    trace.push_back(static_cast<Index>((step * k + first) % size));
  }
  return trace;
}

TEST(Score, TheBudgetIsWhatRandomSearchNeeds) {
  const Scorer scorer = made_up();
  EXPECT_DOUBLE_EQ(scorer.optimum(), 1);
  EXPECT_EQ(scorer.budget_evaluations(), 41U);
  EXPECT_NEAR(scorer.budget_cost(), 8179.5, 1e-6);
  EXPECT_NEAR(scorer.expected()[0], 20.856851311953353, 1e-9);
  EXPECT_NEAR(scorer.expected()[1], 15.840802260753923, 1e-9);
  EXPECT_NEAR(scorer.expected().back(), 1.9719277438006588, 1e-9);
}

TEST(Score, ABudgetOfOnesOwnTakesItsPlace) {
  const Scorer usual = made_up();
  std::vector<double> times;
  std::vector<double> costs;
  for (Index i = 0; i < size; ++i) {
    times.push_back(usual.time(i));
    costs.push_back(usual.cost(i));
  }
  for (const std::size_t budget : {5UL, 100UL}) {
    const Scorer scorer = *Scorer::make(times, costs, budget);
    EXPECT_EQ(scorer.budget_evaluations(), budget);
    EXPECT_DOUBLE_EQ(scorer.expected()[4], usual.expected()[4]);
  }
  EXPECT_EQ(Scorer::make(times, costs, 10 * size)->budget_evaluations(), size);
}

TEST(Score, AgreesWithTheDefinitionElsewhere) {
  const Scorer scorer = made_up();
  const RunScore a = scorer.score(walk(17, 5));
  EXPECT_NEAR(a.time, 0.2566, 0.01);
  EXPECT_NEAR(a.evaluations, 0.2567510495241676, 1e-9);
  EXPECT_EQ(a.until, (std::array<std::size_t, 3>{105, 0, 0}));
  const RunScore b = scorer.score(walk(91, 3));
  EXPECT_NEAR(b.time, -0.0192, 0.01);
  EXPECT_NEAR(b.evaluations, -0.004684568556578966, 1e-9);
  const RunScore c = scorer.score(walk(211, 100));
  EXPECT_NEAR(c.time, 0.0320, 0.01);
  EXPECT_NEAR(c.evaluations, 0.0373254226291002, 1e-9);
  EXPECT_EQ(c.until, (std::array<std::size_t, 3>{101, 101, 101}));
}

TEST(Score, TheOptimumAtOnceIsOneAndNothingIsZero) {
  const Scorer scorer = made_up();
  EXPECT_DOUBLE_EQ(scorer.score(std::vector<Index>{0}).evaluations, 1);
  EXPECT_NEAR(scorer.score(std::vector<Index>{0}).time, 1, 1e-12);
  EXPECT_DOUBLE_EQ(scorer.score({}).time, 0);
  EXPECT_DOUBLE_EQ(scorer.score(std::vector<Index>{3}).time, 0);  // it fails
}

TEST(Score, RandomSearchScoresZero) {
  const Scorer scorer = made_up();
  std::vector<space::Value> values;
  std::vector<space::Digit> rows;
  for (std::size_t i = 0; i < size; ++i) {
    values.emplace_back(static_cast<std::int64_t>(i));
    rows.push_back(static_cast<space::Digit>(i));
  }
  const auto space = space::Space::of({{"a", values}}, rows);
  ASSERT_TRUE(space);
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    auto strategy = make_strategy("random", *space, seed);
    sum += scorer.score((*strategy)->ask(120)).time / 500;
  }
  EXPECT_NEAR(sum, 0, 0.1);
}

TEST(Score, ASpaceWithoutAValidConfigurationIsRefused) {
  EXPECT_FALSE(Scorer::make({std::nan(""), HUGE_VAL}, {1, 1}));
  EXPECT_FALSE(Scorer::make({1}, {}));
}

TEST(Score, AConstantSpaceIsSolvedByAnyValidConfiguration) {
  const auto scorer = Scorer::make({2, 2, 2}, {1, 1, 1});
  ASSERT_TRUE(scorer);
  EXPECT_DOUBLE_EQ(scorer->score(std::vector<Index>{1}).evaluations, 1);
}

TEST(Replay, EndsAtTheOptimumOrAfterTheEvaluationsAskedFor) {
  const auto recorded = formats::parse_recorded(R"({"device_name": "d", "kernel_name": "k",
    "problem_size": [1], "tune_params_keys": ["a"], "tune_params": {"a": [1, 2, 3]},
    "objective": "time", "cache": {
    "1": {"a": 1, "time": 3.0, "compile_time": 5}, "2": {"a": 2, "time": 1.0, "compile_time": 5},
    "3": {"a": 3, "time": 2.0, "compile_time": 5}}})");
  ASSERT_TRUE(recorded) << recorded.error().message;
  const auto scorer = scorer_of(*recorded);
  ASSERT_TRUE(scorer);
  auto strategy = make_strategy("exhaustive", recorded->space, 0);
  EXPECT_EQ(replay(**strategy, *recorded, *scorer), (std::vector<Index>{0, 1}));
  auto again = make_strategy("exhaustive", recorded->space, 0);
  EXPECT_EQ(replay(**again, *recorded, *scorer, 10), (std::vector<Index>{0, 1, 2}));
}

}  // namespace
}  // namespace vyre::search
