#include "search/model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/grid.h"

namespace vyre::search {
namespace {

// Sixteen by sixteen powers of two.
space::Space plane() {
  std::vector<space::Value> powers;
  for (int p = 0; p < 16; ++p) powers.emplace_back(std::int64_t{1} << p);
  return grid({powers, powers});
}

constexpr Index at(Index x, Index y) { return 16 * y + x; }

// A model that was told a slope with few measurements, so that nothing is fitted.
class ModelTest : public testing::Test {
 protected:
  static void tell_slope(Model& model) {
    for (const auto& [index, log_time] :
         {std::pair{at(1, 1), 0.1}, {at(14, 2), 1.3}, {at(3, 13), 0.4}, {at(12, 12), 1.6}}) {
      model.tell(index, {.time = std::exp(log_time)});
    }
  }
  void update(Model& model, std::vector<Index> pending = {}) {
    model.update(pending, asked_, random_);
  }
  static float target(Model& model, Index index) {
    return model.predict(index / lanes).target[index % lanes];
  }
  // At every candidate.
  static void expect_alike(Model& a, Model& b) {
    for (Index index = 0; index < 256; ++index) {
      EXPECT_NEAR(target(a, index), target(b, index), 1e-4F) << index;
      EXPECT_NEAR(a.deviation(index), b.deviation(index), 1e-4F) << index;
    }
  }

  space::Space space_ = plane();
  Asked asked_{256};
  Random random_{1};
};

TEST_F(ModelTest, WhatIsPendingLowersTheDeviationAroundItAndMovesNoMean) {
  Model model(space_, {});
  tell_slope(model);
  update(model);
  Model waiting(space_, {});
  tell_slope(waiting);
  update(waiting, {at(8, 8)});
  EXPECT_LT(waiting.deviation(at(8, 8)), 0.1F * model.deviation(at(8, 8)));
  EXPECT_LT(waiting.deviation(at(8, 7)), 0.5F * model.deviation(at(8, 7)));
  for (Index index = 0; index < 256; ++index) {
    EXPECT_NEAR(target(waiting, index), target(model, index), 1e-5F);
  }
}

TEST_F(ModelTest, AnAnswerThatWasPendingCountsAsIfItHadComeAtOnce) {
  const Observation late = {.time = 1.2, .noise = 0.4};
  Model at_once(space_, {});
  tell_slope(at_once);
  update(at_once);
  at_once.tell(at(8, 8), late);
  update(at_once, {at(5, 5)});
  Model waited(space_, {});
  tell_slope(waited);
  update(waited, {at(8, 8)});
  update(waited, {at(8, 8), at(5, 5)});
  waited.tell(at(8, 8), late);
  update(waited, {at(5, 5)});
  expect_alike(waited, at_once);
}

TEST_F(ModelTest, WhatWasPendingAndFailedLeavesNoTraceInTheProcess) {
  Model without(space_, {});
  tell_slope(without);
  update(without);
  without.tell(at(5, 5), {.time = 1.1});
  update(without);
  Model with(space_, {});
  tell_slope(with);
  update(with, {at(8, 8), at(5, 5)});
  with.tell(at(5, 5), {.time = 1.1});
  update(with, {at(8, 8)});
  with.tell(at(8, 8), {.verdict = Verdict::timeout});
  update(with);
  expect_alike(with, without);
}

TEST_F(ModelTest, TheFirstFailureIsDoubtedAtOnce) {
  Model model(space_, {});
  tell_slope(model);
  update(model);
  EXPECT_EQ(model.log_success(at(8, 8)), 0);
  model.tell(at(8, 8), {.verdict = Verdict::compile});
  update(model);
  EXPECT_LT(model.log_success(at(8, 8)), -0.5F);
  EXPECT_LT(model.log_success(at(8, 8)), model.log_success(at(1, 1)));
}

TEST_F(ModelTest, ANoisyAnswerPullsThePredictionLess) {
  std::vector<double> pulled;
  for (const double noise : {0.0, 0.1, 1.0}) {
    Model model(space_, {});
    tell_slope(model);
    model.tell(at(8, 8), {.time = std::exp(-1.0), .noise = noise});
    update(model);
    pulled.push_back(static_cast<double>(target(model, at(8, 8)) - model.best()));
  }
  EXPECT_NEAR(pulled[0], 0, 0.01);
  EXPECT_GT(pulled[1], pulled[0] + 0.01);
  EXPECT_GT(pulled[2], pulled[1] + 0.1);
}

TEST_F(ModelTest, NoiseThatAllShareIsLeftToTheFit) {
  Model told(space_, {});
  Model untold(space_, {});
  for (const Index index : {at(1, 1), at(14, 2), at(3, 13), at(12, 12)}) {
    told.tell(index, {.time = 1.0 + index, .noise = index == at(1, 1) ? 0.03 : 0.02});
    untold.tell(index, {.time = 1.0 + index});
  }
  update(told);
  update(untold);
  expect_alike(told, untold);
}

TEST_F(ModelTest, AnAnswerThatIsReplacedIsForgotten) {
  Model twice(space_, {});
  tell_slope(twice);
  twice.tell(at(8, 8), {.time = 100});
  update(twice);
  twice.tell(at(8, 8), {.time = 1.5});
  update(twice);
  Model once(space_, {});
  tell_slope(once);
  once.tell(at(8, 8), {.time = 1.5});
  update(once);
  expect_alike(twice, once);
}

TEST_F(ModelTest, TheNeighboursOfTheBestAreOneParameterAwayAndFree) {
  Model model(space_, {});
  tell_slope(model);
  asked_.add(at(1, 5));
  const auto found = model.neighbours_of_best(1, asked_);  // of (1, 1)
  EXPECT_EQ(found.size(), 29U);
  for (const Index index : found) {
    EXPECT_TRUE((index % 16 == 1) != (index / 16 == 1)) << index;
    EXPECT_NE(index, at(1, 5));
  }
}

}  // namespace
}  // namespace vyre::search
