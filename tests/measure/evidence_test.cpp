#include "measure/evidence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace vyre::measure {
namespace {

TEST(Evidence, OfNothingFavoursNobody) {
  const Evidence none;
  EXPECT_NEAR(none.first_is_slower_by(0), 0.5, 1e-9);
  EXPECT_NEAR(none.ratio(), 1, 1e-9);
}

TEST(Evidence, IsSymmetric) {
  Evidence one;
  Evidence other;
  for (const double t : {1.02, 1.08, 0.99, 1.04}) {
    one.add(t, 1);
    other.add(1, t);
  }
  EXPECT_NEAR(one.first_is_slower_by(0), 1 - other.first_is_slower_by(0), 1e-9);
  EXPECT_NEAR(one.ratio() * other.ratio(), 1, 1e-9);
}

TEST(Evidence, OfConsistentPairsIsSoonSure) {
  Evidence evidence;
  for (const double t : {1.19, 1.21, 1.20, 1.18}) evidence.add(t, 1);
  EXPECT_GT(evidence.first_is_slower_by(0), 0.995);
  EXPECT_GT(evidence.first_is_slower_by(0.1), 0.95);
  EXPECT_NEAR(evidence.ratio(), 1.195, 0.01);
}

TEST(Evidence, ForgivesABurst) {
  Evidence evidence;
  for (int i = 0; i < 20; ++i) evidence.add(i % 8 == 7 ? 0.3 : 1.1, 1.0 + 0.005 * (i % 3));
  EXPECT_GT(evidence.first_is_slower_by(0), 0.99);
  EXPECT_NEAR(evidence.ratio(), 1.095, 0.02);
}

TEST(Evidence, OfEqualTimesIsATie) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal(1, 0.02);
  Evidence evidence;
  for (int i = 0; i < 40; ++i) evidence.add(normal(random), normal(random));
  EXPECT_GT(evidence.within(0.02), 0.95);
  EXPECT_LT(evidence.ratio_interval().low, 1);
  EXPECT_GT(evidence.ratio_interval().high, 1);
}

// With small sigma the posterior of a location is about normal with the t3 scale over root n.
TEST(Evidence, NarrowsWithTheRootOfTheNumberOfPairs) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(0, 0.05);
  Evidence evidence;
  const auto width = [&] {
    const Interval i = evidence.ratio_interval();
    return std::log(i.high / i.low);
  };
  for (int i = 0; i < 25; ++i) evidence.add(std::exp(normal(random)), 1);
  const double early = width();
  for (int i = 0; i < 75; ++i) evidence.add(std::exp(normal(random)), 1);
  EXPECT_NEAR(early / width(), 2, 0.5);
}

// Outside an interval of 95 % lie 2.5 % on each side, by the same posterior.
TEST(Evidence, HasIntervalsOfTheProbabilityThatIsAskedFor) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal(0.03, 0.02);
  Evidence evidence;
  for (int i = 0; i < 8; ++i) evidence.add(std::exp(normal(random)), 1);
  for (const double confidence : {0.95, 0.9, 0.5}) {
    const Interval i = evidence.ratio_interval(confidence);
    EXPECT_NEAR(evidence.first_is_slower_by(i.high - 1), (1 - confidence) / 2, 1e-9);
    EXPECT_NEAR(evidence.first_is_slower_by(i.low - 1), (1 + confidence) / 2, 1e-9);
  }
  EXPECT_EQ(evidence.ratio_interval(), evidence.ratio_interval(0.95));
  EXPECT_NEAR(evidence.first_is_slower_by(evidence.ratio() - 1), 0.5, 1e-9);
}

// Student's distribution with 3 degrees of freedom: a normal over the root of a third of the sum of
// three squares.
double t3(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  double squares = 0;
  for (int i = 0; i < 3; ++i) squares += std::pow(normal(random), 2);
  return normal(random) / std::sqrt(squares / 3);
}

// Of differences and noise drawn as the prior has them, the interval holds as many as it says.
TEST(Evidence, HoldsTheTruthAsOftenAsItSays) {
  std::mt19937_64 random(5);
  std::cauchy_distribution<double> difference(0, 0.1);
  std::uniform_real_distribution<double> log_noise(std::log(0.003), std::log(0.6));
  int covered = 0;
  int all = 0;
  while (all < 2000) {
    const double delta = difference(random);
    if (std::abs(delta) > 0.5) continue;  // well within the grid
    const double sigma = std::exp(log_noise(random));
    Evidence evidence;
    for (int i = 0; i < 8; ++i) {
      const double d = delta + sigma * t3(random);
      evidence.add(std::exp(std::clamp(d, -20.0, 20.0)), 1);
    }
    const Interval i = evidence.ratio_interval();
    covered += static_cast<int>(i.low <= std::exp(delta) && std::exp(delta) <= i.high);
    ++all;
  }
  EXPECT_NEAR(covered, 1900, 30);
}

TEST(Evidence, OfTimesFarApartKnowsHowFar) {
  Evidence evidence;
  for (const double t : {39.0, 41.0, 40.0, 40.5, 39.5}) evidence.add(t, 1);
  EXPECT_NEAR(evidence.ratio(), 40, 1e-9);
  EXPECT_GE(evidence.ratio_interval().low, 39 - 1e-9);
  EXPECT_LE(evidence.ratio_interval().high, 41 + 1e-9);
}

TEST(Evidence, StaysFiniteFarOutside) {
  Evidence evidence;
  for (int i = 0; i < 50; ++i) evidence.add(1e12, 1e-3);
  EXPECT_NEAR(evidence.first_is_slower_by(0), 1, 1e-9);
  EXPECT_TRUE(std::isfinite(evidence.ratio()));
}

}  // namespace
}  // namespace vyre::measure
