#include "measure/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace vyre::measure {
namespace {

TEST(Quantile, LiesBetweenOrderStatistics) {
  const std::vector<double> values = {4, 1, 3, 2, 5};
  EXPECT_DOUBLE_EQ(median(values), 3);
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.375), 2.5);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{1, 2}), 1.5);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{7}), 7);
}

TEST(Bootstrap, OfEqualValuesIsAPoint) {
  EXPECT_EQ(bootstrap(std::vector<double>(9, 2.5), 0.5), (Interval{2.5, 2.5}));
}

TEST(Bootstrap, IsTheSameForASeed) {
  const std::vector<double> values = {1, 5, 2, 8, 3, 9, 4};
  EXPECT_EQ(bootstrap(values, 0.5, {.seed = 3}), bootstrap(values, 0.5, {.seed = 3}));
}

// The median of n normal values has a standard error of about sqrt(pi / 2n).
TEST(Bootstrap, OfAMedianIsAsWideAsTheoryHasIt) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  constexpr int n = 200;
  double width = 0;
  int covers = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<double> values(n);
    for (double& v : values) v = normal(random);
    const Interval i = bootstrap(values, 0.5, {.seed = static_cast<std::uint64_t>(round)});
    width += (i.high - i.low) / 200;
    covers += static_cast<int>(i.low <= 0 && 0 <= i.high);
  }
  const double theory = 2 * 1.96 * std::sqrt(3.14159265 / 2 / n);
  EXPECT_NEAR(width / theory, 1, 0.1);
  EXPECT_NEAR(covers, 190, 7);
}

TEST(Bootstrap, IsNarrowerForLessConfidence) {
  std::mt19937_64 random(6);
  std::normal_distribution<double> normal;
  std::vector<double> values(400);
  for (double& v : values) v = normal(random);
  const auto width = [&](double confidence) {
    const Interval i = bootstrap(values, 0.5, {.confidence = confidence, .resamples = 4000});
    return i.high - i.low;
  };
  // The quantiles of a normal: 1.96 and 0.674 deviations on each side.
  EXPECT_NEAR(width(0.95) / width(0.5), 1.96 / 0.674, 0.4);
}

TEST(Drift, IsSeenWhereTimesRise) {
  std::vector<double> values;
  for (int i = 0; i < 32; ++i) values.push_back(100 + 0.4 * i + (i * 7 % 5));
  const auto found = drift(values);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->change, 0.08, 0.03);
}

TEST(Drift, IsSeenWhereTimesFall) {
  std::vector<double> values;
  for (int i = 0; i < 32; ++i) values.push_back(100 - 0.4 * i + (i * 7 % 5));
  const auto found = drift(values);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->change, -0.08, 0.03);
}

TEST(Drift, OfLessThanTheLeastIsNone) {
  std::vector<double> values;
  for (int i = 0; i < 32; ++i) values.push_back(100 + 0.04 * i);
  EXPECT_FALSE(drift(values));
  EXPECT_TRUE(drift(values, 0.005));
}

TEST(Drift, OfJustTheLeastIsOne) {
  EXPECT_TRUE(
      drift(std::vector<double>{100, 100, 100, 100, 101, 101, 101, 101, 102, 102, 102, 102}));
}

TEST(Drift, IsNotSeenInNoise) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(100, 5);
  int found = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<double> values(40);
    for (double& v : values) v = normal(random);
    found += static_cast<int>(drift(values).has_value());
  }
  EXPECT_LE(found, 3);
}

TEST(Drift, NeedsMoreThanAHandfulOfSamples) {
  EXPECT_FALSE(drift(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_TRUE(drift(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

}  // namespace
}  // namespace vyre::measure
