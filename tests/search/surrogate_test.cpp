#include "search/surrogate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "primitives/kfac_program.h"
#include "search/fit.h"
#include "search/grid.h"
#include "search/improvement.h"
#include "search/random.h"
#include "vyre/device/device.h"

namespace vyre::search {
namespace {

using space::Index;

const space::Space small = grid({{1, 2, 4}, {1, 2, 4, 8}, {"a", "b"}});
const std::vector<Index> measured = {0, 5, 7, 11, 14, 20, 23};
const std::vector<double> targets = {0.3, -1.2, 0.8, 0.1, -0.4, 1.5, -1.1};

// One feature for each value, scaled so that a configuration has length 1.
std::vector<double> single_features(Index index) {
  std::vector<double> phi(9, 0.0);
  const auto digits = small.digits(index);
  phi[digits[0]] = phi[3U + digits[1]] = phi[7U + digits[2]] = 1 / std::sqrt(3.0);
  return phi;
}

// (Phi' Phi + damping I) of the measured configurations, and Phi' y.
struct Step {
  std::vector<double> fisher = std::vector<double>(81, 0.0);
  std::vector<double> gradient = std::vector<double>(9, 0.0);
};

Step explicit_step() {
  Step step;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const auto phi = single_features(measured[i]);
    for (std::size_t a = 0; a < 9; ++a) {
      step.gradient[a] += phi[a] * targets[i];
      for (std::size_t b = 0; b < 9; ++b) step.fisher[a * 9 + b] += phi[a] * phi[b];
    }
  }
  return step;
}

std::vector<float> values_of(const Settings& settings, double noise) {
  const Features features(small, settings);
  Surrogate surrogate(features, settings, all_of(small));
  const Covariance covariance{settings.covariance, std::vector<float>(features.count(), 1.0F),
                              noise};
  surrogate.rebuild(covariance, all_of(small), measured, std::vector<double>(measured.size(), 0.0));
  const std::array weights = {surrogate.weights(targets), surrogate.weights(targets)};
  std::array<Lanes, 2> lanes_out = {};
  surrogate.means(0, weights, lanes_out);
  EXPECT_EQ(lanes_out[0], lanes_out[1]);
  return {lanes_out[0].begin(), lanes_out[0].begin() + small.size()};
}

constexpr double damping = 0.25;

TEST(Surrogate, ItsClosedFormIsTheStepPreconditionedByTheInvertedFisherBlock) {
  const Step step = explicit_step();
  std::vector<double> damped = step.fisher;
  for (std::size_t a = 0; a < 9; ++a) damped[a * 9 + a] += damping;
  std::vector<double> inverse(81);
  ASSERT_TRUE(primitives::kfac_block_inverse_reference(damped, 9, inverse));
  const auto values = values_of({.covariance = CovarianceKind::singles}, damping);
  for (Index x = 0; x < small.size(); ++x) {
    const auto phi = single_features(x);
    double f = 0;
    for (std::size_t a = 0; a < 9; ++a) {
      for (std::size_t b = 0; b < 9; ++b) f += phi[a] * inverse[a * 9 + b] * step.gradient[b];
    }
    EXPECT_NEAR(static_cast<double>(values[x]), f, 1e-5) << x;
  }
}

TEST(Surrogate, TheDevicesBlockInverseGivesTheSameStep) {
  auto device = device::open("reference");
  ASSERT_TRUE(device);
  auto kfac = primitives::KfacBlockInverse::make(
      **device, {.num_blocks = 1, .n = 9, .damping = static_cast<float>(damping)});
  ASSERT_TRUE(kfac);
  const Step step = explicit_step();
  const std::vector<float> in(step.fisher.begin(), step.fisher.end());
  std::vector<float> inverse(81);
  ASSERT_TRUE((*kfac)(in, inverse));
  const auto values = values_of({.covariance = CovarianceKind::singles}, damping);
  for (Index x = 0; x < small.size(); ++x) {
    const auto phi = single_features(x);
    double f = 0;
    for (std::size_t a = 0; a < 9; ++a) {
      for (std::size_t b = 0; b < 9; ++b) {
        f += phi[a] * static_cast<double>(inverse[a * 9 + b]) * step.gradient[b];
      }
    }
    EXPECT_NEAR(static_cast<double>(values[x]), f, 1e-4) << x;
  }
}

TEST(Surrogate, WithoutFisherTheStepIsThePlainGradient) {
  const Step step = explicit_step();
  const auto values = values_of({.fisher = false, .covariance = CovarianceKind::singles}, damping);
  for (Index x = 0; x < small.size(); ++x) {
    const auto phi = single_features(x);
    double f = 0;
    for (std::size_t a = 0; a < 9; ++a) f += phi[a] * step.gradient[a];
    EXPECT_NEAR(static_cast<double>(values[x]), f, 1e-5) << x;
  }
}

TEST(Surrogate, ARowAppendedIsARowBuilt) {
  const Settings settings;
  const Features features(small, settings);
  const Covariance covariance{CovarianceKind::smooth, std::vector<float>(features.count(), 0.7F),
                              1e-3};
  const std::vector<double> quiet(measured.size(), 0.0);
  Surrogate built(features, settings, all_of(small));
  built.rebuild(covariance, all_of(small), measured, quiet);
  Surrogate grown(features, settings, all_of(small));
  grown.rebuild(covariance, all_of(small), std::span(measured).first(2), quiet);
  for (const Index row : std::span(measured).subspan(2)) grown.append(row, 0);
  for (Index x = 0; x < small.size(); ++x) {
    EXPECT_FLOAT_EQ(grown.variance(x), built.variance(x));
  }
  EXPECT_LT(grown.variance(measured[0]), 0.01F);
}

// Of one row: k(x, x) = 1, so the mean there is y / (1 + v + d) and the variance 1 - 1 / (1 + v +
// d).
TEST(Surrogate, ANoisyRowPullsTheMeanLess) {
  const Features features(small, {});
  const Covariance covariance{.scales = std::vector<float>(features.count(), 0.7F), .noise = 0.1};
  Surrogate surrogate(features, {}, all_of(small));
  const std::vector<double> y = {2};
  for (const double noise : {0.0, 0.5, 4.0}) {
    surrogate.rebuild(covariance, all_of(small), std::array{Index{5}}, std::array{noise});
    std::array<Lanes, 2> means;
    surrogate.means(0, {surrogate.weights(y), surrogate.weights(y)}, means);
    EXPECT_NEAR(means[0][5], 2 / (1.1 + noise), 1e-5);
    EXPECT_NEAR(surrogate.variance(5), 1 - 1 / (1.1 + noise), 1e-5);
  }
}

// Of two rows with covariance k the inverse of [[a, k], [k, b]] is [[b, -k], [-k, a]] / (ab - k^2).
TEST(Surrogate, EachRowHasItsOwnNoise) {
  const Features features(small, {});
  const Covariance covariance{.scales = std::vector<float>(features.count(), 0.7F), .noise = 0.1};
  Surrogate surrogate(features, {}, all_of(small));
  surrogate.rebuild(covariance, all_of(small), std::array{Index{5}, Index{6}},
                    std::array{0.05, 2.0});
  const std::vector<double> y = {1, -3};
  std::array<Lanes, 2> means;
  surrogate.means(0, {surrogate.weights(y), surrogate.weights(y)}, means);
  const auto k =
      static_cast<double>(covariance.between(features.row(Index{5}), features.row(Index{6})));
  const double a = 1 + 0.1 + 0.05;
  const double b = 1 + 0.1 + 2;
  const double determinant = a * b - k * k;
  const double alpha = (b * y[0] - k * y[1]) / determinant;
  const double beta = (a * y[1] - k * y[0]) / determinant;
  EXPECT_NEAR(means[0][5], alpha + k * beta, 1e-5);
  EXPECT_NEAR(means[0][6], k * alpha + beta, 1e-5);
}

TEST(Surrogate, RowsThatAreTakenBackLeaveNoTrace) {
  const Features features(small, {});
  const Covariance covariance{.scales = std::vector<float>(features.count(), 0.7F)};
  const std::vector<double> quiet(measured.size(), 0.0);
  Surrogate straight(features, {}, all_of(small));
  straight.rebuild(covariance, all_of(small), measured, quiet);
  Surrogate returned(features, {}, all_of(small));
  returned.rebuild(covariance, all_of(small), std::span(measured).first(3), quiet);
  for (const Index wrong : {1U, 2U, 3U}) returned.append(wrong, 0.1);
  EXPECT_LT(returned.variance(1), 0.2F);
  returned.truncate(3);
  for (const Index row : std::span(measured).subspan(3)) returned.append(row, 0);
  EXPECT_EQ(returned.weights(targets), straight.weights(targets));
  for (Index x = 0; x < small.size(); ++x) {
    EXPECT_NEAR(returned.variance(x), straight.variance(x), 1e-5F);
  }
}

TEST(Surrogate, ACandidateThatIsReplacedGetsTheValuesOfTheNewOne) {
  const Settings settings;
  const Features features(small, settings);
  const Covariance covariance{CovarianceKind::smooth, std::vector<float>(features.count(), 0.7F),
                              1e-3};
  Surrogate surrogate(features, settings, all_of(small));
  surrogate.rebuild(covariance, all_of(small), measured, std::vector<double>(measured.size(), 0.0));
  surrogate.replace(3, 17);
  EXPECT_NEAR(surrogate.variance(3), surrogate.variance(17), 1e-5F);
  std::array<Lanes, 2> means;
  surrogate.means(0, {surrogate.weights(targets), surrogate.weights(targets)}, means);
  EXPECT_NEAR(means[0][3], means[0][17], 1e-5F);
  // Rows that come later see it too.
  surrogate.append(2, 0);
  EXPECT_NEAR(surrogate.variance(3), surrogate.variance(17), 1e-5F);
}

TEST(Fit, FindsWhichFeatureMatters) {
  Random random(3);
  std::vector<float> rows;
  std::vector<double> y;
  for (int i = 0; i < 60; ++i) {
    for (int f = 0; f < 3; ++f) rows.push_back(static_cast<float>(random.unit()));
    y.push_back(std::sin(6 * static_cast<double>(rows[rows.size() - 2])));
  }
  Covariance covariance{CovarianceKind::smooth, {0.6F, 0.6F, 0.6F}, 1e-3};
  const std::vector<double> quiet(y.size(), 0.0);
  const FitData data{.rows = rows, .y = y, .noise = quiet};
  const double before = log_posterior(covariance, data);
  fit(covariance, data);
  EXPECT_GT(log_posterior(covariance, data), before);
  EXPECT_GT(covariance.scales[0], 2 * covariance.scales[1]);
  EXPECT_GT(covariance.scales[2], 2 * covariance.scales[1]);
}

// Of one measurement: a = 1 + v + d, s^2 = (y^2 / a + 2) / 3, and the priors do not know of d.
TEST(Fit, ToldNoiseStandsOnTheDiagonal) {
  const Covariance covariance{.scales = {0.7F}, .noise = 0.01};
  const std::vector<float> row = {0.5F};
  const std::vector<double> y = {1.5};
  const auto expected = [](double a) {
    return -1.5 * std::log((1.5 * 1.5 / a + 2) / 3) - 0.5 * std::log(a);
  };
  const auto actual = [&](double noise) {
    return log_posterior(covariance, {.rows = row, .y = y, .noise = std::array{noise}});
  };
  EXPECT_NEAR(actual(0.7) - actual(0), expected(1.71) - expected(1.01), 1e-12);
}

// Ripples that are all noise, told as such, leave the noise that is fitted small.
TEST(Fit, WhatIsToldNeedNotBeFitted) {
  Random random(4);
  std::vector<float> rows;
  std::vector<double> y;
  for (int i = 0; i < 80; ++i) {
    rows.push_back(static_cast<float>(random.unit()));
    y.push_back(std::sin(3 * static_cast<double>(rows.back())) +
                (random.unit() < 0.5 ? -0.5 : 0.5));
  }
  const auto fitted_noise = [&](double told) {
    Covariance covariance{.scales = {0.6F}};
    fit(covariance, {.rows = rows, .y = y, .noise = std::vector<double>(y.size(), told)});
    return covariance.noise;
  };
  EXPECT_LT(fitted_noise(0.3), 0.2 * fitted_noise(0));
}

TEST(Improvement, ItsTwoFormsMeetAndTheBoundHolds) {
  EXPECT_NEAR(log_improvement(-3.999F), log_improvement(-4.001F), 2e-2F);
  EXPECT_NEAR(log_improvement(0), std::log(0.3989422804F), 1e-6F);
  for (float z = -30; z < 10; z += 0.37F) {
    EXPECT_LE(log_improvement(z), log_improvement_bound(z)) << z;
  }
}

// log(phi(z) + z Phi(z)), worked out elsewhere.
TEST(Improvement, IsTheLogarithmOfTheExpectedGain) {
  EXPECT_NEAR(log_improvement(1), 0.0800262188F, 1e-5F);
  EXPECT_NEAR(log_improvement(0.5F), -0.3598276837F, 1e-5F);
  EXPECT_NEAR(log_improvement(-1), -2.4851210257F, 1e-5F);
  EXPECT_NEAR(log_improvement(-2.5F), -6.2125416454F, 1e-4F);
  EXPECT_NEAR(log_improvement(-3.9F), -11.4103932701F, 1e-3F);
  EXPECT_NEAR(log_improvement(-6), -22.5788793922F, 5e-3F);
  EXPECT_NEAR(log_improvement(-8), -37.1223642617F, 2e-3F);
}

}  // namespace
}  // namespace vyre::search
