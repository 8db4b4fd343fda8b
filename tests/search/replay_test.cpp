// Replays: what a strategy is told, and when they end.
#include "vyre/search/replay.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace vyre::search {
namespace {

// Asks for what is in a list, and keeps what it is told.
class Scripted : public Strategy {
 public:
  explicit Scripted(std::vector<Index> script) : script_(std::move(script)) {}
  std::vector<Index> ask(std::size_t count) override {
    EXPECT_EQ(count, 1U);
    return {script_[at_++]};
  }
  void tell(Index index, const Observation& outcome) override {
    EXPECT_EQ(index, script_[at_ - 1]);
    told.push_back(outcome);
  }
  [[nodiscard]] bool done() const override { return at_ == script_.size(); }

  std::vector<Observation> told;

 private:
  std::vector<Index> script_;
  std::size_t at_ = 0;
};

// 20 configurations that take 20, 19, ... 1 ms; the first ten cost 1 ms to try, the others 10.
formats::Recorded falling() {
  std::string entries;
  for (int i = 0; i < 20; ++i) {
    entries += fmt::format(R"({}"{}": {{"a": {}, "time": {}, "compile_time": {}}})",
                           i > 0 ? "," : "", i, i, 20 - i, i < 10 ? 1 : 10);
  }
  return *formats::parse_recorded(
      fmt::format(R"({{"tune_params_keys": ["a"], "cache": {{{}}}}})", entries));
}

std::vector<Index> in_order(std::size_t count) {
  std::vector<Index> all;
  for (Index i = 0; i < count; ++i) all.push_back(i);
  return all;
}

TEST(Replay, EndsWhenBothBudgetsAreUsedUp) {
  const auto recorded = falling();
  const auto scorer = scorer_of(recorded, 4);
  ASSERT_TRUE(scorer);
  EXPECT_EQ(scorer->budget_evaluations(), 4U);
  EXPECT_DOUBLE_EQ(scorer->budget_cost(), 4 * 5.5);
  Scripted slow(in_order(20));  // ten at 1 ms, then 20 ms after one more, 30 after two
  EXPECT_EQ(replay(slow, recorded, *scorer).size(), 12U);
  Scripted dear({10, 11, 12, 13, 14, 15});  // the cost is used up after three
  EXPECT_EQ(replay(dear, recorded, *scorer).size(), 4U);
}

TEST(Replay, EndsAtTheOptimumAndWhenTheStrategyIsDone) {
  const auto recorded = falling();
  const auto scorer = scorer_of(recorded, 15);
  Scripted lucky({3, 19, 4});
  EXPECT_EQ(replay(lucky, recorded, *scorer), (std::vector<Index>{3, 19}));
  Scripted goes_on({3, 19, 4});
  EXPECT_EQ(replay(goes_on, recorded, *scorer, 3).size(), 3U);
  Scripted few({3, 4});
  EXPECT_EQ(replay(few, recorded, *scorer).size(), 2U);
  Scripted exact({3, 4, 5});
  EXPECT_EQ(replay(exact, recorded, *scorer, 2).size(), 2U);
}

TEST(Replay, TheStrategyIsToldWhatWasRecorded) {
  const auto recorded = formats::parse_recorded(R"({"tune_params_keys": ["a"], "cache": {
      "1": {"a": 1, "time": 3.5, "compile_time": 5, "benchmark_time": 2},
      "2": {"a": 2, "time": "CompilationFailedConfig", "compile_time": 7},
      "3": {"a": 3, "time": 1.5, "compile_time": 1}}})");
  ASSERT_TRUE(recorded);
  const auto scorer = scorer_of(*recorded);
  ASSERT_TRUE(scorer);
  EXPECT_TRUE(std::isnan(scorer->time(1)));
  EXPECT_EQ(scorer->time(0), 3.5);
  EXPECT_EQ(scorer->cost(0), 7);
  EXPECT_EQ(scorer->cost(1), 7);
  EXPECT_EQ(scorer->optimum(), 1.5);
  Scripted all(in_order(3));
  EXPECT_EQ(replay(all, *recorded, *scorer, 3).size(), 3U);
  ASSERT_EQ(all.told.size(), 3U);
  EXPECT_EQ(all.told[0].verdict, Verdict::correct);
  EXPECT_EQ(all.told[0].time, 3.5);
  EXPECT_EQ(all.told[0].cost, 7);
  EXPECT_EQ(all.told[1].verdict, Verdict::compile);
  EXPECT_EQ(all.told[1].cost, 7);
}

// With two configurations the baseline is known: 1 and 3 ms, 1 ms each to try, a budget of both.
TEST(Score, OfTwoConfigurationsIsItsClosedForm) {
  const auto scorer = Scorer::make({1, 3}, {1, 1}, 2);
  ASSERT_TRUE(scorer);
  EXPECT_DOUBLE_EQ(scorer->expected()[0], 2);
  EXPECT_DOUBLE_EQ(scorer->expected()[1], 1);
  EXPECT_DOUBLE_EQ(scorer->budget_cost(), 2);
  // Points 1 to 49 see one draw (expected 2), the last one both (expected 1, at the optimum).
  EXPECT_NEAR(scorer->score(std::array<Index, 2>{0, 1}).evaluations, 1, 1e-12);
  EXPECT_NEAR(scorer->score(std::array<Index, 2>{1, 0}).evaluations, (49 * -1.0 + 1) / 50, 1e-12);
  EXPECT_NEAR(scorer->score(std::array<Index, 1>{1}).evaluations, (49 * -1.0 + 0) / 50, 1e-12);
  EXPECT_EQ(scorer->score(std::array<Index, 2>{1, 0}).until, (std::array<std::size_t, 3>{2, 2, 2}));
  // In time nothing is known before the first millisecond has passed: 24 points are 0.
  const double first = scorer->score(std::array<Index, 2>{0, 1}).time;
  EXPECT_NEAR(first, 26.0 / 50, 0.02);
  EXPECT_NEAR(scorer->score(std::array<Index, 2>{1, 0}).time, (25 * -1.0 + 1) / 50, 0.03);
}

}  // namespace
}  // namespace vyre::search
