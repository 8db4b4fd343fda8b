#include "vyre/search/strategy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "search/grid.h"
#include "search/natural.h"
#include "search/random.h"

namespace vyre::search {
namespace {

using Answer = std::function<Observation(Index)>;

std::vector<Index> search(Strategy& strategy, std::size_t evaluations, const Answer& answer,
                          std::size_t batch = 1) {
  std::vector<Index> trace;
  while (trace.size() < evaluations) {
    const auto asked = strategy.ask(std::min(batch, evaluations - trace.size()));
    if (asked.empty()) break;
    for (const Index index : asked) {
      trace.push_back(index);
      strategy.tell(index, answer(index));
    }
  }
  return trace;
}

std::vector<Index> search(const space::Space& space, const std::string& name,
                          std::size_t evaluations, const Answer& answer, std::uint64_t seed = 1,
                          std::size_t batch = 1) {
  auto made = make_strategy(name, space, seed);
  EXPECT_TRUE(made) << made.error().message;
  return search(**made, evaluations, answer, batch);
}

std::size_t distinct(const std::vector<Index>& trace) {
  return std::set<Index>(trace.begin(), trace.end()).size();
}

// A bowl in the logarithms with its least value 1 where every value is `at`.
Answer bowl(const space::Space& space, double at) {
  return [&space, at](Index index) {
    double sum = 0;
    for (const space::Value& v : space.values(index)) {
      sum += std::pow(std::log(static_cast<double>(std::get<std::int64_t>(v)) / at), 2);
    }
    return Observation{.time = std::exp(sum), .cost = 1};
  };
}

const std::vector<std::string> all = [] {
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies()) names.push_back(info.name);
  return names;
}();

TEST(Strategy, NamesEachConfigurationOfASmallSpaceOnceAndEnds) {
  const space::Space space = grid(3, 4);
  for (const std::string& name : all) {
    const auto trace = search(space, name, 1000, bowl(space, 2));
    EXPECT_EQ(trace.size(), 64U) << name;
    EXPECT_EQ(distinct(trace), 64U) << name;
  }
}

TEST(Strategy, SpacesOfNoneOneAndTwoConfigurationsEndCleanly) {
  const std::vector<space::Parameter> parameters = {{"a", {std::int64_t{1}, std::int64_t{2}}}};
  const std::vector<space::Digit> rows = {0, 1};
  for (std::size_t size = 0; size <= 2; ++size) {
    const auto space = space::Space::of(parameters, std::span(rows).first(size));
    ASSERT_TRUE(space);
    for (const std::string& name : all) {
      EXPECT_EQ(search(*space, name, 10, [](Index) { return Observation{.time = 1}; }).size(),
                size);
      auto strategy = make_strategy(name, *space, 0);
      EXPECT_EQ((*strategy)->done(), size == 0);
    }
  }
}

TEST(Strategy, IsTheSameForASeedAndAnotherForAnother) {
  const space::Space space = grid(4, 6);
  for (const std::string name : {"natural", "gradient", "random"}) {
    const auto first = search(space, name, 40, bowl(space, 3), 7);
    EXPECT_EQ(first, search(space, name, 40, bowl(space, 3), 7)) << name;
    EXPECT_NE(first, search(space, name, 40, bowl(space, 3), 8)) << name;
  }
}

TEST(Strategy, TheDefaultFindsTheBottomOfABowlInFewEvaluations) {
  const space::Space space = grid(5, 8);  // 32,768
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Answer answer = bowl(space, 3);
    double best = 1e9;
    for (const Index index : search(space, "natural", 60, answer, seed)) {
      best = std::min(best, answer(index).time);
    }
    EXPECT_LT(best, 1.1) << seed;
  }
}

TEST(Strategy, ABatchIsAskedForWithoutAnswersAndHasNoRepeats) {
  const space::Space space = grid(4, 6);
  const auto trace = search(space, "natural", 96, bowl(space, 3), 1, 8);
  EXPECT_EQ(distinct(trace), 96U);
  const Answer answer = bowl(space, 3);
  double best = 1e9;
  for (const Index index : trace) best = std::min(best, answer(index).time);
  EXPECT_LT(best, 1.2);
}

TEST(Strategy, AnswersThatNeverComeDoNotStopIt) {
  const space::Space space = grid(3, 5);
  auto strategy = *make_strategy("natural", space, 3);
  std::set<Index> seen;
  while (!strategy->done()) {
    for (const Index index : strategy->ask(3)) {
      EXPECT_TRUE(seen.insert(index).second);
      if (index % 3 != 0) strategy->tell(index, bowl(space, 2)(index));
    }
  }
  EXPECT_EQ(seen.size(), 125U);
  EXPECT_TRUE(strategy->ask(1).empty());
}

// The loop keeps some in flight: one more is asked for before the oldest is told.
std::vector<Index> search_in_flight(const space::Space& space, std::size_t evaluations,
                                    const Answer& answer, std::size_t in_flight,
                                    std::uint64_t seed) {
  auto strategy = *make_strategy("natural", space, seed);
  std::vector<Index> trace;
  for (std::size_t told = 0; told < evaluations; ++told) {
    while (trace.size() < told + in_flight) trace.push_back(strategy->ask(1).at(0));
    strategy->tell(trace[told], answer(trace[told]));
  }
  return trace;
}

TEST(Strategy, WithSomeInFlightItStillFindsTheBottomOfABowl) {
  const space::Space space = grid(5, 8);
  const Answer answer = bowl(space, 3);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto trace = search_in_flight(space, 60, answer, 3, seed);
    EXPECT_EQ(distinct(trace), trace.size());
    EXPECT_EQ(trace, search_in_flight(space, 60, answer, 3, seed));
    double best = 1e9;
    for (const Index index : trace) best = std::min(best, answer(index).time);
    EXPECT_LT(best, 1.1) << seed;
  }
}

TEST(Strategy, ToldNoiseGivesOneRunForASeed) {
  const space::Space space = grid(4, 6);
  const auto noisy = [&](Index index) {
    Observation told = bowl(space, 3)(index);
    told.noise = index % 4 == 0 ? 0.3 : 0.01;
    return told;
  };
  const auto first = search(space, "natural", 40, noisy, 7);
  EXPECT_EQ(first, search(space, "natural", 40, noisy, 7));
  EXPECT_NE(first, search(space, "natural", 40, bowl(space, 3), 7));
}

TEST(Strategy, WhatWasToldWithoutBeingAskedIsNotAskedFor) {
  const space::Space space = grid(2, 3);
  for (const std::string& name : all) {
    auto strategy = *make_strategy(name, space, 0);
    for (Index index = 0; index < 8; ++index) strategy->tell(index, {.time = 1.0 + index});
    EXPECT_EQ(strategy->ask(5), std::vector<Index>{8}) << name;
  }
}

TEST(Strategy, GoesOnWhenEveryConfigurationFails) {
  const space::Space space = grid(4, 5);
  const auto trace = search(space, "natural", 1000,
                            [](Index) { return Observation{.verdict = Verdict::compile}; });
  EXPECT_EQ(distinct(trace), 625U);
}

TEST(Strategy, FindsTheBestThatRunsWhereTheTimesPointAtWhatFails) {
  const space::Space space = grid(4, 6);
  const Answer answer = bowl(space, 6);
  double best = 1e9;
  search(space, "natural", 60, [&](Index index) {
    if (space.digit(index, 0) >= 3) return Observation{.verdict = Verdict::runtime};
    best = std::min(best, answer(index).time);
    return answer(index);
  });
  EXPECT_DOUBLE_EQ(best, std::exp(std::pow(std::log(0.5), 2)));  // 3, 6, 6, 6
}

TEST(Strategy, AConstantObjectiveIsSearchedWithoutRepeats) {
  const space::Space space = grid(3, 6);
  EXPECT_EQ(distinct(search(space, "natural", 216, [](Index) { return Observation{.time = 5}; })),
            216U);
}

TEST(Strategy, TimesThatAreNoTimesCountAsFailures) {
  const space::Space space = grid(3, 5);
  const std::vector<double> odd = {
      std::numeric_limits<double>::infinity(),   std::nan(""), 0.0, -1.0,
      std::numeric_limits<double>::denorm_min(), 1e308};
  const auto trace = search(space, "natural", 125, [&](Index index) {
    return Observation{.time = index % 2 == 0 ? odd[index % odd.size()] : 1.0 + index,
                       .noise = odd[(index + 1) % odd.size()],
                       .cost = odd[(index + 2) % odd.size()]};
  });
  EXPECT_EQ(distinct(trace), 125U);
}

TEST(Strategy, FindsAGoodConfigurationThroughHalfOfNoise) {
  const space::Space space = grid(4, 8);
  const Answer answer = bowl(space, 3);
  Random random(5);
  const auto trace = search(space, "natural", 150, [&](Index index) {
    const double factor = 0.5 + random.unit();
    return Observation{.time = answer(index).time * factor, .noise = 0.3, .cost = 1};
  });
  double best = 1e9;
  for (const Index index : trace) best = std::min(best, answer(index).time);
  EXPECT_LT(best, 1.3);
}

TEST(Strategy, AMillionConfigurationsAreSearched) {
  const space::Space space = grid(6, 10);
  const Answer answer = bowl(space, 4);
  double best = 1e9;
  for (const Index index : search(space, "natural", 80, answer)) {
    best = std::min(best, answer(index).time);
  }
  EXPECT_LT(best, 1.5);
}

TEST(Strategy, MoreEvaluationsThanItKeepsRowsAreFine) {
  const space::Space space = grid(4, 5);
  for (const std::size_t batch : {1UL, 20UL}) {
    Natural natural(space, {.pool = 100, .rows = 32}, 1);
    EXPECT_EQ(distinct(search(natural, 625, bowl(space, 2), batch)), 625U) << batch;
  }
}

TEST(Strategy, ABudgetOfOneIsOneConfiguration) {
  const space::Space space = grid(4, 5);
  EXPECT_EQ(search(space, "natural", 1, bowl(space, 2)).size(), 1U);
}

TEST(Strategy, AWrongNameOrSettingSaysWhatThereIs) {
  const space::Space space = grid(1, 2);
  EXPECT_EQ(make_strategy("nature", space, 0).error().message,
            "there is no strategy 'nature'; there are natural, gradient, random, exhaustive");
  EXPECT_EQ(make_strategy("natural:fisher=maybe", space, 0).error().message,
            "setting 'fisher=maybe': fisher is on or off");
  EXPECT_FALSE(make_strategy("natural:speed=9", space, 0));
  EXPECT_FALSE(make_strategy("random:start=9", space, 0));
}

}  // namespace
}  // namespace vyre::search
