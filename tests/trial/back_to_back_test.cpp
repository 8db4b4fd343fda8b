#include "trial/back_to_back.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "support/stopped_clock.h"
#include "trial/faulty_kernels.h"
#include "trial/outcome.h"

namespace vyre::trial {
namespace {

using namespace std::chrono_literals;
using testing::data_of;
using testing::parsed;

Candidate copied(const std::string& name, Language language) {
  const std::vector<std::uint32_t> numbers(64, 7);
  return candidate({parsed("program " + name +
                           " {\n  buffer x: u32[64] read\n  buffer y: u32[64] write\n  grid 64\n"
                           "  y[invocation.x] = x[invocation.x]\n}\n"),
                    {}},
                   {data_of(numbers), data_of(numbers)}, language)
      .value();
}

// The script has the microseconds of a launch, request by request.
BackToBack scripted(const std::string& script, const BackToBackOptions& options) {
  auto session = testing::worker_session(testing::scripted_options(script));
  testing::StoppedClock clock;
  auto taken = back_to_back(session, copied("p", Language::vy), options, clock);
  if (!taken) throw std::runtime_error(taken.error().message);
  return *taken;
}

TEST(BackToBack, IsTheMedianOverBatchesOfAsManyLaunchesAsABatchTakes) {
  const auto taken = scripted("p: 9000 250 100 400 300", {.batch = 20ms, .batches = 3});
  EXPECT_EQ(taken.launches, 80U) << "of 250 us each";
  EXPECT_DOUBLE_EQ(taken.elapsed.value, 300'000);
  EXPECT_GE(taken.elapsed.interval.low, 100'000);
  EXPECT_LE(taken.elapsed.interval.high, 400'000);
}

TEST(BackToBack, TakesOneLaunchAtATimeOfASlowKernel) {
  EXPECT_EQ(scripted("p: 30000", {.batch = 20ms, .batches = 2}).launches, 1U);
}

TEST(BackToBack, TakesNoMoreLaunchesThanItMay) {
  EXPECT_EQ(scripted("p: 1", {.batch = 20ms, .batches = 1, .max_launches = 50}).launches, 50U);
}

// It counts its launches in place, and hangs once there were more than ten.
TEST(BackToBack, WhatIsChangedInPlaceGoesOnFromTheLaunchBefore) {
  auto options = testing::worker_options();
  options.run_limit = 1s;
  auto session = testing::worker_session(options);
  Candidate counts{.name = "counts",
                   .kernel = {.source = "__kernel void k(__global volatile int* count) {"
                                        "  count[0] += 1; while (count[0] > 10) {} }",
                              .entry = "k",
                              .arguments = {worker::BufferArgument{data_of(std::vector<int>{0}),
                                                                   Access::read_write}},
                              .shape = testing::row(1, 1)},
                   .expected = {}};
  const auto id = session.build(counts.kernel);
  ASSERT_TRUE(id) << id.error().message;
  EXPECT_TRUE(session.time(*id, 20)) << "restored before each launch";
  const auto taken = back_to_back(session, counts, {.batch = 20ms, .batches = 3});
  ASSERT_FALSE(taken);
  EXPECT_EQ(verdict_of(taken.error()), Verdict::timeout);
}

TEST(BackToBack, AKernelThatCannotBeBuiltIsAnError) {
  auto session = testing::worker_session();
  Candidate broken = testing::tripled("broken", "out[i] = no_such_name;");
  const auto taken = back_to_back(session, broken);
  ASSERT_FALSE(taken);
  EXPECT_EQ(verdict_of(taken.error()), Verdict::compile);
}

}  // namespace
}  // namespace vyre::trial
