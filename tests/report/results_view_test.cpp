#include "report/results_view.h"

#include <gtest/gtest.h>

#include <limits>

namespace vyre::report {
namespace {

using formats::Results;
using Indices = std::vector<std::size_t>;

// The default at first, with these times; 0 stands for a failure.
Results results_of(const std::vector<double>& times) {
  Results results{.kernel = "k", .parameters = {"block"}, .original = 0};
  for (std::size_t i = 0; i < times.size(); ++i) {
    results.tried.push_back({.values = {static_cast<std::int64_t>(i)}, .time_ms = times[i]});
    if (times[i] == 0) results.tried.back().verdict = Verdict::runtime;
  }
  return results;
}

Results raced(const std::vector<double>& times, std::size_t winner) {
  Results results = results_of(times);
  results.winner = winner;
  const double ratio = times[0] / times[winner];
  results.raced = formats::Raced{{times[0], {}}, {times[winner], {}}, {ratio, {}}};
  return results;
}

Conclusion conclusion(const Results& results) { return conclusion_of(ResultsView(results)); }

TEST(ResultsView, ACorrectAttemptWithoutATimeCountsAsFailed) {
  const Results results = results_of({2, 0, std::numeric_limits<double>::quiet_NaN(), 1});
  const ResultsView view(results);
  EXPECT_EQ(view.timed(), (Indices{0, 3}));
  EXPECT_EQ(view.failed(), (Indices{1, 2}));
}

TEST(ResultsView, WithoutARaceTheFastestIsChosen) {
  const Results results = results_of({2, 1, 3});
  EXPECT_EQ(ResultsView(results).chosen(), 1U);
}

TEST(ResultsView, TimesOfTheDefaultAndTheWinnerAreThoseOfTheRace) {
  Results results = raced({2, 1, 3}, 1);
  results.raced->winner_ms.value = 1.5;
  const ResultsView view(results);
  EXPECT_EQ(view.time_ms(1).value, 1.5);
  EXPECT_EQ(view.time_ms(2).value, 3);
}

TEST(ResultsView, TheDefaultHasNoSpeedupOverItself) {
  const Results results = raced({2, 3}, 0);
  EXPECT_FALSE(ResultsView(results).speedup());
}

TEST(Conclusion, SaysWhatTheRaceShowed) {
  EXPECT_EQ(conclusion(raced({2, 1}, 1)), Conclusion::faster);
  EXPECT_EQ(conclusion(raced({2, 3}, 0)), Conclusion::default_won);
  EXPECT_EQ(conclusion(raced({2, 3}, 1)), Conclusion::slower);
  Results tied = raced({2, 1.99}, 1);
  tied.tied = true;
  EXPECT_EQ(conclusion(tied), Conclusion::tied);
}

TEST(Conclusion, SaysWhatThereWasNothingToCompareWith) {
  EXPECT_EQ(conclusion(results_of({0, 0})), Conclusion::nothing);
  EXPECT_EQ(conclusion(results_of({2, 1})), Conclusion::no_race);
  EXPECT_EQ(conclusion(raced({0, 1}, 1)), Conclusion::no_default);
}

TEST(Thinned, KeepsTheFirstAndTheLast) {
  EXPECT_EQ(thinned({1, 2, 3}, 3), (Indices{1, 2, 3}));
  EXPECT_EQ(thinned({0, 1, 2, 3, 4, 5, 6, 7, 8}, 3), (Indices{0, 4, 8}));
}

}  // namespace
}  // namespace vyre::report
