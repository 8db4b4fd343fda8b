// The posterior that is climbed, in closed form, and that its top is found.
#include "search/fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/random.h"

namespace vyre::search {
namespace {

struct Sampled {
  std::vector<float> rows;
  std::vector<double> y;
  std::vector<double> quiet;
  [[nodiscard]] FitData data() const { return {.rows = rows, .y = y, .noise = quiet}; }
};

double value(double scale, double noise, const FitData& data) {
  return log_posterior({.scales = {static_cast<float>(scale)}, .noise = noise}, data);
}

// Of one measurement the scale is in the prior alone.
TEST(Fit, ThePriorOfAScaleIsLogNormalAbout07WithinAFactorE) {
  const Sampled one{.rows = {0.5F}, .y = {1.5}, .quiet = {0}};
  const FitData data = one.data();
  const double top = value(0.7, 0.01, data);
  EXPECT_NEAR(value(0.7 * std::exp(1.0), 0.01, data) - top, -0.5, 1e-6);
  EXPECT_NEAR(value(0.7 * std::exp(-2.0), 0.01, data) - top, -2, 1e-6);
}

// Of one measurement: a = 1 + v, s^2 = (y^2 / a + 2) / 3.
TEST(Fit, ThePriorOfTheNoiseIsLogNormalAbout1e3WithinAFactorE15) {
  const Sampled one{.rows = {0.5F}, .y = {1.5}, .quiet = {0}};
  const FitData data = one.data();
  const auto expected = [](double v) {
    const double a = 1 + v;
    const double away = std::log(v / 1e-3) / 1.5;
    return -1.5 * std::log((1.5 * 1.5 / a + 2) / 3) - 0.5 * std::log(a) - 0.5 * away * away;
  };
  for (const double v : {1e-4, 0.1, 1.0}) {
    EXPECT_NEAR(value(0.7, v, data) - value(0.7, 1e-3, data), expected(v) - expected(1e-3), 1e-9);
  }
}

// Of two with covariance k: the determinant is a^2 - k^2, y' A^-1 y = (a y0^2 - 2 k y0 y1 + a y1^2)
// over it, s^2 = (that + 2) / 4.
TEST(Fit, TheLikelihoodOfTwoMeasurementsIsItsClosedForm) {
  const Sampled two{.rows = {0.2F, 0.9F}, .y = {1.0, -0.5}, .quiet = {0, 0}};
  const std::vector<double>& y = two.y;
  const FitData data = two.data();
  const auto expected = [&](double scale) {
    const double r = std::sqrt(5.0) * 0.7 / scale;
    const double k = (1 + r + r * r / 3) * std::exp(-r);
    const double a = 1.1;
    const double determinant = a * a - k * k;
    const double energy = (a * y[0] * y[0] - 2 * k * y[0] * y[1] + a * y[1] * y[1]) / determinant;
    const double away = std::log(scale / 0.7);
    return -2 * std::log((energy + 2) / 4) - 0.5 * std::log(determinant) - 0.5 * away * away;
  };
  for (const double scale : {0.1, 0.4, 3.0}) {
    EXPECT_NEAR(value(scale, 0.1, data) - value(1, 0.1, data), expected(scale) - expected(1), 1e-5);
  }
}

// Two features of which the first matters, and some noise.
Sampled waves() {
  Random random(9);
  Sampled made;
  for (int i = 0; i < 40; ++i) {
    made.rows.push_back(static_cast<float>(random.unit()));
    made.rows.push_back(static_cast<float>(random.unit()));
    const auto x = static_cast<double>(made.rows[made.rows.size() - 2]);
    made.y.push_back(std::sin(7 * x) + 0.2 * (random.unit() - 0.5));
  }
  made.quiet.assign(made.y.size(), 0.0);
  return made;
}

TEST(Fit, GoesOnToATopInEveryDirection) {
  const Sampled made = waves();
  Covariance fitted{.scales = {3.0F, 0.2F}, .noise = 0.3};
  for (int round = 0; round < 30; ++round) fit(fitted, made.data());
  const double top = log_posterior(fitted, made.data());
  for (const double factor : {0.8, 1.25}) {
    for (std::size_t f = 0; f < 2; ++f) {
      Covariance aside = fitted;
      aside.scales[f] *= static_cast<float>(factor);
      EXPECT_LT(log_posterior(aside, made.data()), top + 1e-3) << f << " " << factor;
    }
    Covariance aside = fitted;
    aside.noise *= factor;
    EXPECT_LT(log_posterior(aside, made.data()), top + 1e-3) << "noise " << factor;
  }
}

TEST(Fit, NeverLeavesAWorsePlaceThanItFound) {
  const Sampled made = waves();
  Covariance fitted{.scales = {0.6F, 0.6F}};
  double last = log_posterior(fitted, made.data());
  for (int round = 0; round < 5; ++round) {
    fit(fitted, made.data());
    const double next = log_posterior(fitted, made.data());
    EXPECT_GE(next, last - 1e-9);
    last = next;
  }
}

// Of shared values there are no scales: only the noise is fitted.
TEST(Fit, OfSharedValuesFitsTheNoiseAlone) {
  Random random(2);
  Sampled made;
  for (int i = 0; i < 30; ++i) {
    made.rows.push_back(static_cast<float>(i % 3));
    made.y.push_back(random.unit() < 0.5 ? -1 : 1);
  }
  made.quiet.assign(made.y.size(), 0.0);
  Covariance covariance{.kind = CovarianceKind::singles, .scales = {5.0F}, .noise = 1e-3};
  fit(covariance, made.data());
  EXPECT_EQ(covariance.scales[0], 5.0F);
  EXPECT_GT(covariance.noise, 0.02);
}

// A line through noise of every kind: no scale and no noise goes beyond its bounds.
TEST(Fit, StaysWithinItsBounds) {
  Sampled flat;
  for (int i = 0; i < 20; ++i) {
    flat.rows.push_back(static_cast<float>(i) / 20);
    flat.y.push_back(0);
  }
  flat.quiet.assign(flat.y.size(), 0.0);
  Covariance covariance{.scales = {15.0F}, .noise = 2e-6};
  for (int round = 0; round < 10; ++round) fit(covariance, flat.data());
  EXPECT_LE(covariance.scales[0], 20.001F);
  EXPECT_GE(covariance.noise, 0.999e-6);
  Sampled rough = flat;
  for (std::size_t i = 0; i < rough.y.size(); ++i) rough.y[i] = i % 2 == 0 ? -1 : 1;
  Covariance wild{.scales = {0.06F}, .noise = 0.9};
  for (int round = 0; round < 10; ++round) fit(wild, rough.data());
  EXPECT_GE(wild.scales[0], 0.0499F);
  EXPECT_LE(wild.noise, 1.001);
}

}  // namespace
}  // namespace vyre::search
