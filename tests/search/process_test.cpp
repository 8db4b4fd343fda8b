// The model against the Gaussian process worked out directly, with a dense inverse in f64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "search/grid.h"
#include "search/model.h"

namespace vyre::search {
namespace {

using Matrix = std::vector<std::vector<double>>;

// By Gauss and Jordan, without pivots: the matrices here are positive definite.
Matrix inverse(Matrix a) {
  const std::size_t n = a.size();
  Matrix made(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) made[i][i] = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const double pivot = a[i][i];
    for (std::size_t j = 0; j < n; ++j) {
      a[i][j] /= pivot;
      made[i][j] /= pivot;
    }
    for (std::size_t row = 0; row < n; ++row) {
      const double factor = a[row][i];
      if (row == i) continue;
      for (std::size_t j = 0; j < n; ++j) {
        a[row][j] -= factor * a[i][j];
        made[row][j] -= factor * made[i][j];
      }
    }
  }
  return made;
}

struct Told {
  Index index;
  double log_time;
  double log_cost;
  double noise;
};

struct Belief {
  double mean;
  double deviation;
  double log_cost;
};

// Features are the logarithms of powers of two, scaled to [0, 1]; the scales are 0.6, the noise
// 1e-3, as long as nothing has been fitted.
class Process {
 public:
  explicit Process(std::vector<Told> told) : told_(std::move(told)) {
    const std::size_t n = told_.size();
    for (const Told& t : told_) mean_ += t.log_time / static_cast<double>(n);
    for (const Told& t : told_) mean_cost_ += t.log_cost / static_cast<double>(n);
    double variance = 0;
    for (const Told& t : told_)
      variance += std::pow(t.log_time - mean_, 2) / static_cast<double>(n);
    deviation_ = std::sqrt(variance) + 1e-6;
    Matrix k(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) k[i][j] = covariance(told_[i].index, told_[j].index);
      k[i][i] += 1e-3 + std::pow(told_[i].noise / deviation_, 2);
    }
    inverse_ = inverse(k);
    double energy = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) energy += target(i) * inverse_[i][j] * target(j);
    }
    prior_ = std::sqrt((energy + 2) / (static_cast<double>(n) + 2));
  }

  static double covariance(Index a, Index b) {
    const double x = (static_cast<double>(a % 16) - static_cast<double>(b % 16)) / 15 / 0.6F;
    const double y = (static_cast<double>(a / 16) - static_cast<double>(b / 16)) / 15 / 0.6F;
    const double r = std::sqrt(5 * (x * x + y * y));
    return (1 + r + r * r / 3) * std::exp(-r);
  }
  [[nodiscard]] double target(std::size_t i) const {
    return (told_[i].log_time - mean_) / deviation_;
  }
  [[nodiscard]] double prior() const { return prior_; }

  [[nodiscard]] Belief at(Index index) const {
    Belief made{.mean = 0, .deviation = 1, .log_cost = 0};
    for (std::size_t i = 0; i < told_.size(); ++i) {
      for (std::size_t j = 0; j < told_.size(); ++j) {
        const double weight = covariance(index, told_[i].index) * inverse_[i][j];
        made.mean += weight * target(j);
        made.log_cost += weight * (told_[j].log_cost - mean_cost_);
        made.deviation -= weight * covariance(told_[j].index, index);
      }
    }
    made.deviation = prior_ * std::sqrt(std::max(made.deviation, 1e-7));
    return made;
  }

 private:
  std::vector<Told> told_;
  Matrix inverse_;
  double mean_ = 0;
  double mean_cost_ = 0;
  double deviation_ = 1;
  double prior_ = 1;
};

space::Space powers() {
  std::vector<space::Value> values;
  for (int p = 0; p < 16; ++p) values.emplace_back(std::int64_t{1} << p);
  return grid({values, values});
}

// Fewer than four good answers: nothing is drawn in, nothing is fitted.
const std::vector<Told> three = {{.index = 17, .log_time = 0.3, .log_cost = 2.0, .noise = 0},
                                 {.index = 60, .log_time = -0.9, .log_cost = 3.5, .noise = 0},
                                 {.index = 200, .log_time = 0.4, .log_cost = 1.1, .noise = 0.25}};

void expect_process(Model& model, const Process& process) {
  EXPECT_NEAR(model.prior_deviation(), process.prior(), 1e-4);
  for (std::size_t slot = 0; slot < 256; ++slot) {
    const Belief belief = process.at(model.candidates()[slot]);
    const Model::Prediction predicted = model.predict(slot / lanes);
    EXPECT_NEAR(predicted.target[slot % lanes], belief.mean, 2e-4) << slot;
    EXPECT_NEAR(predicted.log_cost[slot % lanes], belief.log_cost, 2e-4) << slot;
    EXPECT_NEAR(model.deviation(slot), belief.deviation, 2e-3) << slot;
  }
}

void tell(Model& model, const Told& told) {
  model.tell(
      told.index,
      {.time = std::exp(told.log_time), .noise = told.noise, .cost = std::exp(told.log_cost)});
}

TEST(Process, MeansDeviationsAndCostsAreThoseOfTheDefinition) {
  const space::Space space = powers();
  Model model(space, {});
  for (const Told& told : three) tell(model, told);
  Random random(1);
  model.update({}, Asked(256), random);
  const Process process(three);
  expect_process(model, process);
  EXPECT_NEAR(model.best(), process.target(1), 1e-4);
}

TEST(Process, IsTheSameWhereAnswersComeOneByOne) {
  const space::Space space = powers();
  Model model(space, {});
  Random random(1);
  for (const Told& told : {three[0], three[1]}) tell(model, told);
  model.update({}, Asked(256), random);
  Told third = three[2];
  third.noise = 0;
  tell(model, third);
  model.update({}, Asked(256), random);
  expect_process(model, Process({three[0], three[1], third}));
}

// A pool of 64 of the 256: what is not in it takes the place of another and is believed like it.
TEST(Process, ACandidateThatTakesAPlaceIsBelievedAsWell) {
  const space::Space space = powers();
  Model model(space, {.pool = 64});
  for (const Told& told : three) tell(model, told);
  model.tell(100, {.verdict = Verdict::compile});
  Random random(1);
  Asked asked(256);
  for (const Told& told : three) asked.add(told.index);
  model.update({}, asked, random);
  EXPECT_EQ(model.candidates().size(), 64U);
  const Process process(three);
  std::size_t replaced = 0;
  for (Index index = 0; index < 256; index += 5) {
    const bool was_there = std::ranges::find(model.candidates(), index) != model.candidates().end();
    replaced += was_there ? 0U : 1U;
    const std::size_t slot = model.slot_of(index, random);
    ASSERT_EQ(model.candidates()[slot], index);
    EXPECT_EQ(model.slot_of(index, random), slot);
    const Model::Prediction predicted = model.predict(slot / lanes);
    EXPECT_NEAR(predicted.target[slot % lanes], process.at(index).mean, 2e-4) << index;
    EXPECT_NEAR(model.deviation(slot), process.at(index).deviation, 2e-3) << index;
    // 1 failed of 4, at 100: (0.3 * 4/5 + good) / (0.3 + all).
    double good = 0.3 * 4 / 5;
    double all = 0.3 + Process::covariance(index, 100);
    for (const Told& told : three) {
      good += Process::covariance(index, told.index);
      all += Process::covariance(index, told.index);
    }
    EXPECT_NEAR(model.log_success(slot), 2 * std::log(good / all), 1e-3) << index;
  }
  EXPECT_GT(replaced, 20U);
}

}  // namespace
}  // namespace vyre::search
