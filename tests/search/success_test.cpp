#include "search/success.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/grid.h"

namespace vyre::search {
namespace {

// Nine powers of two, the features 1/8 apart. With scales this short, neighbours have nothing to do
// with each other.
constexpr float short_scale = 0.005F;

class SuccessTest : public testing::Test {
 protected:
  void tell(Index index, Verdict verdict) { history_.add(index, {.verdict = verdict, .time = 1}); }
  void look(float scale) {
    const Covariance covariance{.scales = {scale}};
    surrogate_.rebuild(covariance, all_of(space_), {}, {});
    success_.rebuild(history_, features_, surrogate_);
  }
  double chance(Index index) {
    return std::exp(static_cast<double>(success_.log_weight(index, history_)) / 2);
  }

  space::Space space_ = grid({{1, 2, 4, 8, 16, 32, 64, 128, 256}});
  Features features_{space_, {}};
  Surrogate surrogate_{features_, {}, all_of(space_)};
  History history_;
  Success success_;
};

TEST_F(SuccessTest, UntilSomethingFailsNothingIsDoubted) {
  tell(0, Verdict::correct);
  tell(4, Verdict::correct);
  look(0.7F);
  for (Index i = 0; i < 9; ++i) EXPECT_EQ(chance(i), 1);
}

TEST_F(SuccessTest, FarFromAllThatWasTriedTheChanceIsTheShareOfSuccesses) {
  for (const Index good : {0U, 1U}) tell(good, Verdict::correct);
  for (const Index bad : {7U, 8U}) tell(bad, Verdict::compile);
  look(short_scale);
  EXPECT_NEAR(chance(4), 3.0 / 5, 1e-5);
}

TEST_F(SuccessTest, WhereItWasTriedOnceItWeighsMoreThanTheShare) {
  tell(0, Verdict::correct);
  tell(8, Verdict::timeout);
  look(short_scale);
  const double share = 2.0 / 3;
  EXPECT_NEAR(chance(0), (0.3 * share + 1) / 1.3, 1e-5);
  EXPECT_NEAR(chance(8), 0.3 * share / 1.3, 1e-5);
}

TEST_F(SuccessTest, TheChanceFallsTowardsWhatFailed) {
  tell(0, Verdict::correct);
  tell(8, Verdict::runtime);
  look(0.5F);
  for (Index i = 1; i < 9; ++i) EXPECT_LT(chance(i), chance(i - 1));
}

TEST_F(SuccessTest, AnswersThatCameOneByOneCountLikeAllAtOnce) {
  tell(2, Verdict::runtime);
  look(0.5F);
  Success grown = success_;
  for (const Index index : {5U, 6U, 8U}) {
    tell(index, index == 6 ? Verdict::correct : Verdict::compile);
    grown.add(*history_.find(index), features_, surrogate_);
  }
  look(0.5F);
  for (Index i = 0; i < 9; ++i) {
    EXPECT_NEAR(grown.log_weight(i, history_), success_.log_weight(i, history_), 1e-5F);
  }
}

// Only the last 400 answers count, wherever they are asked for.
TEST_F(SuccessTest, OfALongHistoryOnlyTheLastPartCounts) {
  space_ = grid(2, 32);
  features_ = Features(space_, {});
  surrogate_ = Surrogate(features_, {}, all_of(space_));
  for (Index i = 0; i < 500; ++i) tell(i, i < 100 ? Verdict::compile : Verdict::correct);
  const Covariance covariance{.scales = std::vector<float>(features_.count(), 1e-3F)};
  surrogate_.rebuild(covariance, all_of(space_), {}, {});
  success_.rebuild(history_, features_, surrogate_);
  const double share = 401.0 / 501;
  EXPECT_NEAR(chance(99), share, 1e-4);  // it failed, too long ago
  EXPECT_NEAR(chance(100), (0.3 * share + 1) / 1.3, 1e-4);
  EXPECT_NEAR(chance(499), (0.3 * share + 1) / 1.3, 1e-4);
  success_.replace(700, 99, history_, features_, surrogate_);
  EXPECT_NEAR(chance(700), share, 1e-4);
  success_.replace(700, 100, history_, features_, surrogate_);
  EXPECT_NEAR(chance(700), (0.3 * share + 1) / 1.3, 1e-4);
}

TEST_F(SuccessTest, ACandidateThatIsReplacedGetsTheChanceOfTheNewOne) {
  tell(0, Verdict::correct);
  tell(8, Verdict::runtime);
  look(0.5F);
  success_.replace(1, 7, history_, features_, surrogate_);
  EXPECT_NEAR(chance(1), chance(7), 1e-5);
}

}  // namespace
}  // namespace vyre::search
