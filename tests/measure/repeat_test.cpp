#include "measure/repeat.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "measure/simulated_machine.h"

namespace vyre::measure {
namespace {

using namespace std::chrono_literals;
using testing::FakeClock;
using testing::SimulatedMachine;

TEST(LaunchesFor, AreAsManyAsLastLongEnoughAndNoMore) {
  EXPECT_EQ(launches_for(300e3, 1ms, 100), 4U);
  EXPECT_EQ(launches_for(250e3, 1ms, 100), 4U);
  EXPECT_EQ(launches_for(2e6, 1ms, 100), 1U);
  EXPECT_EQ(launches_for(1, 1ms, 100), 100U);
  EXPECT_EQ(launches_for(0, 1ms, 100), 100U);
}

// Gives these times one after the other, the last one for ever.
class Script {
 public:
  Script(FakeClock& clock, std::vector<double> times) : clock_(&clock), times_(std::move(times)) {}
  Sampler sampler() {
    return [this](std::uint32_t launches) -> Result<Sample> {
      const double ns = times_[std::min(taken_++, times_.size() - 1)];
      launches_ = launches;
      clock_->pass(ns * launches);
      return Sample{.wall_ns = ns, .device_ns = ns, .cpu_ns = ns, .launches = launches};
    };
  }
  [[nodiscard]] std::uint32_t last_launches() const { return launches_; }

 private:
  FakeClock* clock_;
  std::vector<double> times_;
  std::size_t taken_ = 0;
  std::uint32_t launches_ = 0;
};

TEST(Repeat, StopsWhenTheIntervalIsNarrow) {
  FakeClock clock;
  Script steady(clock, {9e6, 2e6, 1e6});
  const auto m = repeat(steady.sampler(), clock);
  ASSERT_TRUE(m);
  EXPECT_EQ(m->stop, Stop::narrow);
  EXPECT_EQ(m->samples.size(), 5U);
  EXPECT_EQ(m->warm_up.size(), 2U) << "what is not counted is kept";
  EXPECT_DOUBLE_EQ(m->estimate_ns, 1e6);
}

// Of two values in turn the interval of the median is from one to the other.
TEST(Repeat, IsNarrowWhenHalfTheIntervalIsWithinTheTarget) {
  FakeClock clock;
  const auto alternating = [&clock](double other) {
    std::vector<double> times;
    for (int i = 0; i < 40; ++i) times.push_back(i % 2 == 0 ? 1e6 : other);
    Script script(clock, times);
    return *repeat(script.sampler(), clock, {.target = 0.02, .max_samples = 20});
  };
  const Measurement within = alternating(1.035e6);
  EXPECT_EQ(within.interval, (Interval{1e6, 1.035e6}));
  EXPECT_EQ(within.stop, Stop::narrow);
  const Measurement beyond = alternating(1.045e6);
  EXPECT_EQ(beyond.interval, (Interval{1e6, 1.045e6}));
  EXPECT_EQ(beyond.stop, Stop::budget);
  EXPECT_EQ(beyond.samples.size(), 20U);
}

// What only the first launch costs says nothing of how many make a sample.
TEST(Repeat, CountsLaunchesByTheLastWarmUp) {
  FakeClock clock;
  Script cold(clock, {9e6, 5e3});
  const auto m = repeat(cold.sampler(), clock, {.min_sample = 500us});
  ASSERT_TRUE(m);
  EXPECT_EQ(cold.last_launches(), 100U);
  EXPECT_DOUBLE_EQ(m->estimate_ns, 5e3);
  EXPECT_EQ(m->interval, (Interval{5e3, 5e3}));
}

TEST(Repeat, TakesMoreSamplesWhereThereIsMoreNoise) {
  SimulatedMachine machine(11);
  const auto m = repeat(machine.kernel(1e6), machine.clock(), {.budget = 10s});
  ASSERT_TRUE(m);
  EXPECT_GT(m->samples.size(), 5U);
  EXPECT_LE(m->interval.low, m->estimate_ns);
  EXPECT_GE(m->interval.high, m->estimate_ns);
}

TEST(Repeat, StopsWhenItsTimeIsUsed) {
  SimulatedMachine machine(11);
  const auto m = repeat(machine.kernel(1e6), machine.clock(), {.target = 1e-6, .budget = 20ms});
  ASSERT_TRUE(m);
  EXPECT_EQ(m->stop, Stop::budget);
  EXPECT_LT(machine.clock().now(), 40ms);
}

TEST(Repeat, WithNoTimeStillTakesOneSample) {
  FakeClock clock;
  Script steady(clock, {1e6});
  const auto m = repeat(steady.sampler(), clock, {.budget = 0s});
  ASSERT_TRUE(m);
  EXPECT_EQ(m->samples.size(), 1U);
}

TEST(Repeat, BatchesLaunchesThatAreTooShortForTheClock) {
  FakeClock clock;
  Script tiny(clock, {5e3});
  ASSERT_TRUE(repeat(tiny.sampler(), clock, {.min_sample = 500us}));
  EXPECT_EQ(tiny.last_launches(), 100U);
  Script nothing(clock, {0});
  ASSERT_TRUE(repeat(nothing.sampler(), clock, {.max_launches = 300}));
  EXPECT_EQ(nothing.last_launches(), 300U);
  Script large(clock, {5e7});
  ASSERT_TRUE(repeat(large.sampler(), clock));
  EXPECT_EQ(large.last_launches(), 1U);
}

TEST(Repeat, AbandonsWhatIsSurelySlowerThanTheBest) {
  FakeClock clock;
  Script slow(clock, {4e6});
  const auto m = repeat(slow.sampler(), clock, {.best_ns = 1e6});
  ASSERT_TRUE(m);
  EXPECT_EQ(m->stop, Stop::abandoned);
  EXPECT_EQ(m->samples.size(), 1U);
}

TEST(Repeat, MeasuresToTheEndWhatIsNearTheBest) {
  FakeClock clock;
  Script near(clock, {1.2e6});
  const auto m = repeat(near.sampler(), clock, {.best_ns = 1e6});
  ASSERT_TRUE(m);
  EXPECT_EQ(m->stop, Stop::narrow);
  EXPECT_EQ(m->samples.size(), 5U);
}

TEST(Repeat, DoesNotAbandonAfterOneSlowSample) {
  FakeClock clock;
  Script unlucky(clock, {1e6, 1e6, 2.5e6, 1.4e6, 0.9e6});
  const auto m = repeat(unlucky.sampler(), clock, {.best_ns = 1e6});
  ASSERT_TRUE(m);
  EXPECT_NE(m->stop, Stop::abandoned);
}

TEST(Repeat, SurelySlowerNeedsLessDistanceWithMoreSamples) {
  EXPECT_FALSE(surely_slower({}, 1));
  EXPECT_FALSE(surely_slower(std::vector{2.9}, 1));
  EXPECT_TRUE(surely_slower(std::vector{3.1}, 1));
  EXPECT_FALSE(surely_slower(std::vector{1.9, 9.0}, 1));
  EXPECT_TRUE(surely_slower(std::vector{2.1, 9.0}, 1));
  EXPECT_FALSE(surely_slower(std::vector{1.4, 9.0, 9.0}, 1));
  EXPECT_TRUE(surely_slower(std::vector{1.6, 9.0, 9.0}, 1));
  EXPECT_FALSE(surely_slower(std::vector{1.4, 9.0, 9.0, 9.0}, 1));
  EXPECT_FALSE(surely_slower(std::vector{9.0, 9.0, 9.0, 9.0, 1.2}, 1));
  EXPECT_TRUE(surely_slower(std::vector{1.3, 1.4, 1.3, 1.4, 1.3}, 1));
}

TEST(Repeat, ReportsDrift) {
  FakeClock clock;
  std::vector<double> rising;
  for (int i = 0; i < 40; ++i) rising.push_back(1e6 * (1 + 0.01 * i));
  Script script(clock, rising);
  const auto m = repeat(script.sampler(), clock, {.target = 0.001, .max_samples = 30});
  ASSERT_TRUE(m);
  ASSERT_TRUE(m->drift);
  EXPECT_GT(m->drift->change, 0.1);
}

TEST(Repeat, EndsWithAnErrorOfTheSampler) {
  FakeClock clock;
  const auto m =
      repeat([](std::uint32_t) -> Result<Sample> { return fail(ErrorKind::run, "no"); }, clock);
  ASSERT_FALSE(m);
  EXPECT_EQ(m.error().message, "no");
}

}  // namespace
}  // namespace vyre::measure
