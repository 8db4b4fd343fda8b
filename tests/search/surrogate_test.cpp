#include "search/surrogate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "primitives/kfac_program.h"
#include "search/fit.h"
#include "search/improvement.h"
#include "search/random.h"
#include "vyre/device/device.h"

namespace vyre::search {
namespace {

using space::Index;

space::Space grid(std::vector<std::vector<space::Value>> values) {
  std::vector<space::Parameter> parameters;
  std::size_t count = 1;
  for (std::size_t p = 0; p < values.size(); ++p) {
    parameters.push_back({"p" + std::to_string(p), values[p]});
    count *= values[p].size();
  }
  std::vector<space::Digit> rows;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t remainder = i;
    for (const auto& v : values) {
      rows.push_back(static_cast<space::Digit>(remainder % v.size()));
      remainder /= v.size();
    }
  }
  return *space::Space::of(parameters, rows);
}

const space::Space small = grid({{1, 2, 4}, {1, 2, 4, 8}, {"a", "b"}});
const std::vector<Index> measured = {0, 5, 7, 11, 14, 20, 23};
const std::vector<double> targets = {0.3, -1.2, 0.8, 0.1, -0.4, 1.5, -1.1};

std::vector<Index> all_of(const space::Space& space) {
  std::vector<Index> all(space.size());
  for (Index i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

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
  const Kernel kernel{settings.likeness, std::vector<float>(features.count(), 1.0F), noise};
  surrogate.rebuild(kernel, all_of(small), measured, std::vector<double>(measured.size(), 0.0));
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
  const auto values = values_of({.likeness = Likeness::singles}, damping);
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
  const auto values = values_of({.likeness = Likeness::singles}, damping);
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
  const auto values = values_of({.fisher = false, .likeness = Likeness::singles}, damping);
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
  const Kernel kernel{Likeness::smooth, std::vector<float>(features.count(), 0.7F), 1e-3};
  const std::vector<double> quiet(measured.size(), 0.0);
  Surrogate built(features, settings, all_of(small));
  built.rebuild(kernel, all_of(small), measured, quiet);
  Surrogate grown(features, settings, all_of(small));
  grown.rebuild(kernel, all_of(small), std::span(measured).first(2), quiet);
  for (const Index row : std::span(measured).subspan(2)) grown.append(row, 0);
  for (Index x = 0; x < small.size(); ++x) {
    EXPECT_FLOAT_EQ(grown.variance(x), built.variance(x));
  }
  EXPECT_LT(grown.variance(measured[0]), 0.01F);
}

TEST(Surrogate, ACandidateThatIsReplacedGetsTheValuesOfTheNewOne) {
  const Settings settings;
  const Features features(small, settings);
  const Kernel kernel{Likeness::smooth, std::vector<float>(features.count(), 0.7F), 1e-3};
  Surrogate surrogate(features, settings, all_of(small));
  surrogate.rebuild(kernel, all_of(small), measured, std::vector<double>(measured.size(), 0.0));
  surrogate.replace(3, 17);
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
  Kernel kernel{Likeness::smooth, {0.6F, 0.6F, 0.6F}, 1e-3};
  const double before = log_posterior(kernel, rows, y);
  fit(kernel, rows, y);
  EXPECT_GT(log_posterior(kernel, rows, y), before);
  EXPECT_GT(kernel.scales[0], 2 * kernel.scales[1]);
  EXPECT_GT(kernel.scales[2], 2 * kernel.scales[1]);
}

TEST(Features, AlignmentIsOneOnlyWhereItDoesNotFollowFromTheOrder) {
  const space::Space powers = grid({{1, 2, 4, 8}});
  EXPECT_EQ(Features(powers, {}).count(), 1U);
  const space::Space steps = grid({{16, 32, 48, 64}});
  const Features features(steps, {});
  ASSERT_EQ(features.count(), 2U);
  EXPECT_FLOAT_EQ(features.at(2, 1), 0.0F);  // 48 = 3 * 16
  EXPECT_FLOAT_EQ(features.at(1, 1), 0.5F);
  EXPECT_FLOAT_EQ(features.at(3, 1), 1.0F);
  EXPECT_FLOAT_EQ(features.at(1, 0), 0.5F);  // log(32 / 16) / log(64 / 16)
}

TEST(Improvement, ItsTwoFormsMeetAndTheBoundHolds) {
  EXPECT_NEAR(log_improvement(-3.999F), log_improvement(-4.001F), 2e-2F);
  EXPECT_NEAR(log_improvement(0), std::log(0.3989422804F), 1e-6F);
  for (float z = -30; z < 10; z += 0.37F) {
    EXPECT_LE(log_improvement(z), log_improvement_bound(z < 0 ? z : z + 1)) << z;
  }
}

}  // namespace
}  // namespace vyre::search
