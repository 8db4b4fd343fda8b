#include "tune/live_policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/fixed.h"
#include "search/random.h"
#include "support/device.h"
#include "tune/change_detector.h"
#include "tune/live_matrix.h"

namespace vyre::tune {
namespace {

constexpr std::size_t plan_size = 16;

// Dispatches whose times are made up.
class Simulation {
 public:
  Simulation(std::string_view policy, std::vector<double> times, LiveOptions options = {})
      : times_(std::move(times)), random_(7) {
    auto made = make_live_policy(policy, 3, std::move(options));
    if (!made) throw std::runtime_error(made.error().message);
    policy_ = *std::move(made);
  }

  LivePolicy& policy() { return *policy_; }
  void add_all() {
    for (std::size_t i = 0; i < times_.size(); ++i) policy_->add();
    policy_->complete(true);
  }
  void set(std::vector<double> times) { times_ = std::move(times); }
  // Added to every sample's log time.
  std::function<double(std::size_t arm, std::size_t dispatch)> disturbance;

  // The arms that ran.
  std::vector<std::size_t> dispatch(std::size_t count) {
    std::vector<std::size_t> ran;
    while (ran.size() < count) {
      std::array<std::size_t, plan_size> plan{};
      policy_->plan(plan);
      for (const std::size_t arm : plan) {
        if (ran.size() == count) break;
        ran.push_back(arm);
        const double ns = time(arm);
        policy_->tell(arm, ns);
        if (policy_->settled() && changed(ns, arm)) {
          policy_->restart();
          detector_.reset();
          ++restarts;
          break;
        }
      }
    }
    return ran;
  }

  // As many as it takes; `most` if it does not settle.
  std::size_t dispatches_to_settle(std::size_t most) {
    std::size_t count = 0;
    for (; count < most && !policy_->settled(); count += plan_size) dispatch(plan_size);
    return count;
  }

  std::size_t restarts = 0;

 private:
  bool changed(double ns, std::size_t arm) {
    if (arm != policy_->best()) return false;
    if (arm != watched_) detector_.reset();
    watched_ = arm;
    return detector_.tell(ns);
  }
  double normal() {
    return std::sqrt(-2 * std::log(random_.unit())) * std::cos(6.283185307 * random_.unit());
  }
  double time(std::size_t arm) {
    double level = std::log(times_.at(arm)) + 0.03 * normal();
    if (disturbance) level += disturbance(arm, dispatched_);
    ++dispatched_;
    return std::exp(level);
  }

  std::vector<double> times_;
  search::Random random_;
  std::unique_ptr<LivePolicy> policy_;
  ChangeDetector detector_;
  std::size_t watched_ = 0;
  std::size_t dispatched_ = 0;
};

std::size_t count_of_arm(const std::vector<std::size_t>& ran, std::size_t arm) {
  return static_cast<std::size_t>(std::ranges::count(ran, arm));
}

// From 1 to 8 times the best, which is somewhere in the middle.
std::vector<double> many_arms(std::size_t count) {
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) {
    times.push_back(1e5 * std::exp2(3.0 * static_cast<double>((i * 7 + 3) % count) /
                                    static_cast<double>(count - 1)));
  }
  return times;
}

std::size_t fastest(const std::vector<double>& times) {
  return static_cast<std::size_t>(std::ranges::min_element(times) - times.begin());
}

class EveryLivePolicy : public ::testing::TestWithParam<std::string_view> {};

TEST_P(EveryLivePolicy, RunsItsOnlyArm) {
  Simulation simulation(GetParam(), {1e4});
  simulation.policy().add();
  EXPECT_EQ(simulation.policy().weights(), std::vector<double>{1});
  EXPECT_EQ(count_of_arm(simulation.dispatch(40), 0), 40U);
  EXPECT_FALSE(simulation.policy().settled()) << "more may come";
  simulation.policy().complete(true);
  EXPECT_TRUE(simulation.policy().settled());
}

TEST_P(EveryLivePolicy, SettlesOnTheBestOfThree) {
  Simulation simulation(GetParam(), {1.9e4, 1e4, 1.2e4});
  simulation.add_all();
  EXPECT_LE(simulation.dispatches_to_settle(500), 160U);
  EXPECT_EQ(simulation.policy().best(), 1U);
  EXPECT_EQ(count_of_arm(simulation.dispatch(1'000), 1), 1'000U);
}

TEST_P(EveryLivePolicy, SettlesOnTheBestOfManyThatComeOneByOne) {
  const std::vector<double> times = many_arms(24);
  Simulation simulation(GetParam(), times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    simulation.policy().add();
    EXPECT_FALSE(simulation.policy().settled());
    simulation.dispatch(20);
  }
  simulation.policy().complete(true);
  EXPECT_LE(simulation.dispatches_to_settle(1'000), 100U);
  EXPECT_EQ(simulation.policy().best(), fastest(times));
}

TEST_P(EveryLivePolicy, DoesNotSplitHairs) {
  Simulation simulation(GetParam(), std::vector<double>(8, 1e4));
  simulation.add_all();
  EXPECT_LE(simulation.dispatches_to_settle(1'000), 8 * 20U);
}

// Noise in which 30 % cannot be seen: it stops looking all the same.
TEST_P(EveryLivePolicy, SettlesHoweverLargeTheNoise) {
  Simulation simulation(GetParam(), std::vector<double>(8, 1e4));
  search::Random random(5);
  simulation.disturbance = [&](std::size_t, std::size_t) { return 0.6 * random.unit(); };
  simulation.add_all();
  EXPECT_LE(simulation.dispatches_to_settle(1'000), 8 * 30U);
}

TEST_P(EveryLivePolicy, RarelyRunsWhatIsFarSlower) {
  Simulation simulation(GetParam(), {1e4, 1.1e4, 5e4});
  simulation.add_all();
  EXPECT_LE(count_of_arm(simulation.dispatch(2'000), 2), 2U);
}

TEST_P(EveryLivePolicy, AGoodArmWhoseFirstLaunchWasHeldUpIsFoundAllTheSame) {
  Simulation simulation(GetParam(), {2e4, 1e4, 1.9e4});
  std::size_t launches = 0;
  simulation.disturbance = [&](std::size_t arm, std::size_t) {
    return arm == 1 && launches++ == 0 ? std::log(10.0) : 0;
  };
  simulation.add_all();
  simulation.dispatch(1'000);
  EXPECT_EQ(simulation.policy().best(), 1U);
  EXPECT_TRUE(simulation.policy().settled());
}

TEST_P(EveryLivePolicy, LaunchesThatWereHeldUpDoNotUnseatTheBest) {
  Simulation simulation(GetParam(), {1e4, 1.3e4, 1.5e4});
  simulation.disturbance = [](std::size_t arm, std::size_t dispatch) {
    return arm == 0 && dispatch % 4 == 3 ? std::log(10.0) : 0;
  };
  simulation.add_all();
  simulation.dispatches_to_settle(1'000);
  EXPECT_EQ(simulation.policy().best(), 0U);
  EXPECT_NEAR(simulation.policy().estimate(0).ns, 1e4, 400);
}

TEST_P(EveryLivePolicy, WeightsSumToOneAndAPlanKeepsToThem) {
  Simulation simulation(GetParam(), {1e4, 1.02e4, 0.99e4, 6e4});
  simulation.add_all();
  while (!simulation.policy().settled()) {
    const std::vector<double> weights = simulation.policy().weights();
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-9);
    simulation.dispatch(plan_size);
  }
  std::vector<double> only(4);
  only[simulation.policy().best()] = 1;
  EXPECT_EQ(simulation.policy().weights(), only);
}

TEST_P(EveryLivePolicy, PlansTheSameForASeed) {
  const auto run = [] {
    Simulation simulation(GetParam(), many_arms(9));
    simulation.add_all();
    return simulation.dispatch(400);
  };
  EXPECT_EQ(run(), run());
}

TEST_P(EveryLivePolicy, WithoutArmsNothingIsSettledOrKnown) {
  const auto policy = *make_live_policy(GetParam(), 1);
  policy->complete(true);
  policy->tell(0, 1e4);
  policy->restart();
  EXPECT_FALSE(policy->settled());
  EXPECT_TRUE(policy->weights().empty());
  EXPECT_EQ(policy->estimate(0).samples, 0U);
}

TEST_P(EveryLivePolicy, TimesThatAreNoneAreNotCounted) {
  Simulation simulation(GetParam(), {1e4});
  simulation.policy().add();
  for (const double ns : {0.0, -1.0, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    simulation.policy().tell(0, ns);
  }
  simulation.policy().tell(7, 1.0);
  EXPECT_EQ(simulation.policy().estimate(0).samples, 0U);
  simulation.policy().tell(0, 5.0);
  EXPECT_NEAR(simulation.policy().estimate(0).ns, 5, 1e-9);
}

TEST_P(EveryLivePolicy, AnEstimateHasAnIntervalThatNarrows) {
  Simulation simulation(GetParam(), {1e4});
  simulation.policy().add();
  simulation.dispatch(4);
  const auto early = simulation.policy().estimate(0).interval;
  simulation.dispatch(12);
  const auto late = simulation.policy().estimate(0);
  EXPECT_EQ(late.samples, 16U);
  EXPECT_LT(late.interval.high - late.interval.low, early.high - early.low);
  EXPECT_LT(late.interval.low, 1e4);
  EXPECT_GT(late.interval.high, 1e4);
}

TEST_P(EveryLivePolicy, OnceSettledTheBestStaysAsItWasMeasuredBesideTheOthers) {
  Simulation simulation(GetParam(), {1.9e4, 1e4, 1.2e4});
  simulation.add_all();
  simulation.dispatches_to_settle(500);
  const double settled = simulation.policy().estimate(1).ns;
  for (int i = 0; i < 100; ++i) simulation.policy().tell(1, 9e4);
  EXPECT_EQ(simulation.policy().best(), 1U);
  EXPECT_NEAR(simulation.policy().estimate(1).ns, settled, 0.02 * settled);
  EXPECT_TRUE(simulation.policy().settled());
}

// The machine is faster, or slower, than when the best was measured, and by less than a detector
// sees: what comes then is compared with what the best takes now.
TEST_P(EveryLivePolicy, ComparesWhatComesLaterWithTheBestAsItIsThen) {
  const auto best_after_drift = [](double newcomer, double drift) {
    Simulation simulation(GetParam(), {2e4, 1e4, newcomer});
    for (int i = 0; i < 2; ++i) simulation.policy().add();
    simulation.policy().complete(true);
    simulation.dispatches_to_settle(500);
    EXPECT_EQ(simulation.policy().best(), 1U);
    simulation.disturbance = [=](std::size_t, std::size_t) { return std::log(drift); };
    simulation.policy().add();
    simulation.policy().complete(true);
    simulation.dispatches_to_settle(500);
    EXPECT_TRUE(simulation.policy().settled());
    const double original = simulation.policy().estimate(0).ns;
    EXPECT_NEAR(original, 2e4 * drift, 0.06 * original) << "as far behind the best as it was";
    return simulation.policy().best();
  };
  EXPECT_EQ(best_after_drift(1.06e4, 0.88), 1U);
  EXPECT_EQ(best_after_drift(0.92e4, 1.13), 2U);
  EXPECT_EQ(best_after_drift(1.06e4, 0.5), 1U);
}

// Other times for all, another order of them.
void expect_back_within_500(std::string_view policy, const std::vector<double>& before,
                            const std::vector<double>& after) {
  Simulation simulation(policy, before);
  simulation.add_all();
  simulation.dispatch(3'000);
  ASSERT_TRUE(simulation.policy().settled());
  ASSERT_EQ(simulation.policy().best(), fastest(before));
  ASSERT_EQ(simulation.restarts, 0U);
  simulation.set(after);
  simulation.dispatch(500);
  const double least = std::ranges::min(after);
  double total = 0;
  for (const std::size_t arm : simulation.dispatch(200)) total += after[arm];
  EXPECT_LE(total / 200, 1.05 * least);
  EXPECT_EQ(simulation.restarts, 1U);
}

TEST_P(EveryLivePolicy, IsBackAtTheBestWithin500DispatchesOfAChangeOfLoad) {
  expect_back_within_500(GetParam(), {2e4, 1e4, 1.5e4, 4e4}, {2e4, 3e4, 1.5e4, 4e4});
  expect_back_within_500(GetParam(), {2e4, 1e4, 1.5e4, 4e4}, {1e4, 1.2e4, 1.5e4, 0.7e4});
}

TEST_P(EveryLivePolicy, IsBackAtTheBestOf24Within500DispatchesOfAChangeOfLoad) {
  const std::vector<double> before = many_arms(24);
  std::vector<double> after = before;
  // The middle becomes the best: what was best has twice its time, the better half swap places.
  for (double& time : after) time = time < 2e5 ? 4e10 / time : time * 1.3;
  expect_back_within_500(GetParam(), before, after);
}

INSTANTIATE_TEST_SUITE_P(All, EveryLivePolicy, ::testing::ValuesIn(live_policy_names()),
                         [](const auto& test) { return std::string(test.param); });

// With 2 % more noise, and one launch in a hundred that takes 3 to 10 times as long.
TEST(LivePolicy, TheDefaultIsBackAtTheBestOf24OnASystemThatHoldsUpLaunches) {
  const std::vector<double> before = many_arms(24);
  std::vector<double> after = before;
  for (double& time : after) time = time < 2e5 ? 4e10 / time : time * 1.3;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    search::Random random(seed);
    Simulation simulation(default_live_policy, before);
    simulation.disturbance = [&](std::size_t, std::size_t) {
      const double held_up = random.below(100) == 0 ? std::log(3 + 7 * random.unit()) : 0;
      return 0.15 * (random.unit() - 0.5) + held_up;
    };
    simulation.add_all();
    simulation.dispatch(3'000);
    EXPECT_LE(before[simulation.policy().best()], 1.05 * std::ranges::min(before)) << seed;
    simulation.set(after);
    simulation.dispatch(500);
    double total = 0;
    for (const std::size_t arm : simulation.dispatch(200)) total += after[arm];
    EXPECT_LE(total / 200, 1.05 * std::ranges::min(after)) << seed;
    EXPECT_EQ(simulation.restarts, 1U) << seed;
  }
}

TEST(LivePolicy, AnUnknownNameIsRefusedWithThoseThatThereAre) {
  EXPECT_EQ(make_live_policy("greedy", 1).error().message,
            "there is no live policy 'greedy'; there are natural, identity, epsilon, thompson, "
            "halving");
}

TEST(LivePolicy, TheDefaultIsOneOfThem) { EXPECT_TRUE(make_live_policy(default_live_policy, 1)); }

// Two arms that cannot be told apart, and a matrix that has a place for the second only.
TEST(LivePolicy, NaturalPlansByTheMatrixOfTheLatestRounds) {
  std::vector<std::uint64_t> seen;
  LiveOptions options;
  options.confidence = 6;
  options.exploration = 0.1;
  options.matrix = [&](std::span<const std::uint64_t> rounds, std::size_t arms) {
    EXPECT_EQ(arms, 2U);
    seen.assign(rounds.begin(), rounds.end());
    return Result<std::vector<std::int32_t>>(std::vector<std::int32_t>{0, 0, 0, 65'536});
  };
  const auto policy = *make_live_policy("natural", 1, options);
  policy->add();
  policy->add();
  for (std::size_t i = 0; i < 5; ++i) {
    policy->tell(0, 10'000.0 + 100 * static_cast<double>(i));
    policy->tell(1, 10'101.0 + 100 * static_cast<double>(i));
  }
  std::vector<std::size_t> plan(plan_size);
  policy->plan(plan);
  ASSERT_EQ(policy->best(), 0U);
  EXPECT_EQ(plan, std::vector<std::size_t>(plan_size, 1));
  // The latest four of each, as whole nanoseconds of what is kept as a logarithm.
  ASSERT_EQ(seen.size(), 8U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(static_cast<double>(seen[2 * i]), 10'100.0 + 100 * static_cast<double>(i), 1);
    EXPECT_NEAR(static_cast<double>(seen[2 * i + 1]), 10'201.0 + 100 * static_cast<double>(i), 1);
  }
}

TEST(LivePolicy, NaturalIsTheIdentityWhereTheMatrixFails) {
  LiveOptions options;
  options.matrix = [](std::span<const std::uint64_t>, std::size_t) {
    return Result<std::vector<std::int32_t>>(fail(ErrorKind::device, "lost"));
  };
  Simulation natural("natural", many_arms(6), options);
  Simulation identity("identity", many_arms(6));
  natural.add_all();
  identity.add_all();
  EXPECT_EQ(natural.dispatch(500), identity.dispatch(500));
}

// Rounds of two arms that vary alike: F = v (1 1; 1 1) + damping I, whose inverse root has
// eigenvalues 1 / sqrt(2 v + damping) and 1 / sqrt(damping).
TEST(LiveMatrix, IsTheInverseRootOfTheCovarianceOfLogTimesOfTheseRounds) {
  const auto device = testing::opened("reference");
  const MatrixSource matrix = live_matrix(*device, 0.25F);
  const std::vector<std::uint64_t> other = {7, 900, 80, 1, 3, 4, 1'000, 2};
  ASSERT_TRUE(matrix(other, 2));
  const std::vector<std::uint64_t> rounds = {100, 200, 1'000, 2'000, 100, 200, 1'000, 2'000};
  const auto made = matrix(rounds, 2);
  ASSERT_TRUE(made) << made.error().message;
  const double variance = 4.0 / 3 * std::pow(std::log(10) / 2, 2);
  const double together = 1 / std::sqrt(2 * variance + 0.25);
  const double apart = 1 / std::sqrt(0.25);
  ASSERT_EQ(made->size(), 4U);
  EXPECT_NEAR(from_fixed((*made)[0]), (together + apart) / 2, 1e-3);
  EXPECT_NEAR(from_fixed((*made)[1]), (together - apart) / 2, 1e-3);
}

TEST(LiveMatrix, NaturalRunsWithTheDevicesMatrix) {
  const auto device = testing::opened("reference");
  LiveOptions options;
  options.matrix = live_matrix(*device);
  Simulation simulation("natural", {1e4, 1.01e4, 0.99e4, 3e4}, options);
  simulation.add_all();
  simulation.dispatches_to_settle(500);
  EXPECT_TRUE(simulation.policy().settled());
  EXPECT_NE(simulation.policy().best(), 3U);
}

}  // namespace
}  // namespace vyre::tune
