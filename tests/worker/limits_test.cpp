// Which limit counts when, with a worker that follows a script. The other limit is a minute, so a
// session that took the wrong one is told apart however slow the machine is.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "support/worker.h"

namespace vyre::worker {
namespace {

using namespace std::chrono_literals;
using testing::data_of;
using testing::row;
using testing::scripted_options;
using testing::worker_session;

Job job() {
  return {.source =
              "program k {\n  buffer x: u32[4] read_write\n  grid 4\n"
              "  x[invocation.x] = x[invocation.x] * 2\n}\n",
          .entry = "k",
          .arguments = {BufferArgument{data_of(std::vector<std::uint32_t>{1, 2, 3, 4}),
                                       Access::read_write}},
          .shape = row(4, 64)};
}

// How the last of these launches ended, and that it did not last as long as the other limit.
std::string last_error(const Options& options, int launches) {
  Session session = worker_session(options);
  const auto id = session.build(job());
  if (!id) throw std::runtime_error(id.error().message);
  for (int i = 1; i < launches; ++i) {
    if (const auto early = session.time(*id); !early) throw std::runtime_error("failed early");
  }
  const auto began = std::chrono::steady_clock::now();
  const auto ended = session.time(*id);
  EXPECT_LT(std::chrono::steady_clock::now() - began, 30s);
  EXPECT_EQ(session.process().has_value(), ended.has_value()) << "who is stopped is gone";
  return ended ? "it ended" : ended.error().message;
}

TEST(WorkerLimits, AFirstLaunchThatHangsIsStoppedAtTheLimitForRunning) {
  Options options = scripted_options("k: hang");
  options.build_limit = 60s;
  options.run_limit = 200ms;
  EXPECT_EQ(last_error(options, 1), "running it took longer than 0.2 s and was stopped");
}

TEST(WorkerLimits, ALaterLaunchThatHangsIsStoppedAtTheLimitForRunning) {
  Options options = scripted_options("k: 100 100 hang");
  options.build_limit = 60s;
  options.run_limit = 500ms;
  EXPECT_EQ(last_error(options, 3), "running it took longer than 0.5 s and was stopped");
}

TEST(WorkerLimits, AFirstLaunchThatNeverBeginsIsStoppedAtTheLimitForCompiling) {
  Options options = scripted_options("k: stuck");
  options.build_limit = 1s;
  options.run_limit = 60s;
  EXPECT_EQ(last_error(options, 1),
            "compiling it for its first launch took longer than 1 s and was stopped");
}

TEST(WorkerLimits, WhatADriverCompilesAtTheFirstLaunchIsNoTimeOfTheKernel) {
  Options options = scripted_options("k: late");
  options.run_limit = 1s;
  Session session = worker_session(options);
  const auto id = session.build(job());
  ASSERT_TRUE(id) << id.error().message;
  EXPECT_FALSE(session.is_warm(*id));
  const auto timing = session.time(*id);
  ASSERT_TRUE(timing) << timing.error().message;
  EXPECT_EQ(timing->wall_ns, 1'000'000U);
  EXPECT_TRUE(session.is_warm(*id));
}

// It has no more steps than to fail, so the next answer comes from another worker.
TEST(WorkerLimits, AWorkerWhoseDriverFailedIsReplaced) {
  Session session = worker_session(scripted_options("k: 100 fail"));
  const auto id = session.build(job());
  ASSERT_TRUE(id) << id.error().message;
  ASSERT_TRUE(session.time(*id));
  const auto failed = session.time(*id);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::device);
  EXPECT_FALSE(session.process());
  EXPECT_TRUE(session.time(*id));
  EXPECT_EQ(session.started(), 2U);
}

// One that sleeps uses no CPU time; by the clock it has ten times as long.
TEST(WorkerLimits, OfCpuTimeEndWhatSleepsToo) {
  Options options = scripted_options("k: hang");
  options.run_limit = 50ms;
  options.limits_cpu_time = true;
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(last_error(options, 1), "running it took longer than 0.05 s and was stopped");
  EXPECT_GE(std::chrono::steady_clock::now() - began, 500ms);
}

TEST(WorkerLimits, OfCpuTimeBeginAnewWhenTheKernelDoes) {
  Options options = scripted_options("k: toil");
  options.run_limit = 150ms;
  options.limits_cpu_time = true;
  EXPECT_EQ(last_error(options, 1), "it ended");
}

// For the next launch, whatever was built before.
TEST(WorkerLimits, ForRunningCanBeChanged) {
  Session session = worker_session(scripted_options("k: 100 hang"));
  const auto id = session.build(job());
  ASSERT_TRUE(id) << id.error().message;
  ASSERT_TRUE(session.time(*id));
  session.set_limits({.build = 60s, .run = 50ms});
  const auto ended = session.time(*id);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message, "running it took longer than 0.05 s and was stopped");
}

// An endless kernel uses a core; a worker that has the core to itself is stopped before the clock
// would stop it.
TEST(WorkerLimits, OfCpuTimeEndWhatUsesIt) {
  Options options = testing::worker_options("reference");
  options.run_limit = 300ms;
  options.limits_cpu_time = true;
  Session session = worker_session(options);
  Job endless = job();
  endless.source =
      "program k {\n  buffer x: u32[4] read_write\n  grid 4\n  var sum = x[invocation.x]\n"
      "  for i in 0 .. 4000000000 {\n    sum = sum * 3 + i\n  }\n  x[invocation.x] = sum\n}\n";
  const auto id = session.build(endless);
  ASSERT_TRUE(id) << id.error().message;
  const auto ended = session.time(*id);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message, "running it took longer than 0.3 s and was stopped");
  EXPECT_GE(session.cpu_time(), 300ms);
}

TEST(WorkerLimits, WhatIsCancelledEndsWithinMoments) {
  Options options = scripted_options("k: hang");
  const auto cancelled = std::make_shared<std::atomic<bool>>(false);
  options.cancelled = cancelled;
  options.run_limit = 60s;
  Session session = worker_session(options);
  const auto id = session.build(job());
  ASSERT_TRUE(id) << id.error().message;
  std::jthread soon([&] {
    std::this_thread::sleep_for(50ms);
    *cancelled = true;
  });
  const auto began = std::chrono::steady_clock::now();
  EXPECT_FALSE(session.time(*id));
  EXPECT_FALSE(session.time(*id)) << "no other worker is started";
  EXPECT_LT(std::chrono::steady_clock::now() - began, 30s);
}

// It would need 300 ms of CPU time before it begins.
TEST(Workers, StandStillWhileTheyRestAndTheirLimitsToo) {
  constexpr auto rest = 2s;
  Options options = scripted_options("k: toil");
  options.build_limit = 1500ms;
  std::optional<std::chrono::steady_clock::time_point> since;
  std::vector<std::chrono::nanoseconds> used;  // while it rests
  options.rests = [&](std::chrono::nanoseconds cpu_time) {
    const bool rests = since && std::chrono::steady_clock::now() - *since < rest;
    if (rests) used.push_back(cpu_time);
    return rests;
  };
  Session session = worker_session(options);
  const auto id = session.build(job());
  ASSERT_TRUE(id) << id.error().message;
  since = std::chrono::steady_clock::now();
  const auto timing = session.time(*id);
  ASSERT_TRUE(timing) << timing.error().message;
  EXPECT_GE(std::chrono::steady_clock::now() - *since, rest);
  ASSERT_GE(used.size(), 3U);
  EXPECT_LT(used.back() - used[1], 100ms);
}

TEST(Workers, AreAsNiceAsTheyAreToldToBe) {
  Options options = testing::worker_options("reference");
  options.niceness = 7;
  const int own = getpriority(PRIO_PROCESS, 0);
  const Session session = worker_session(options);
  ASSERT_TRUE(session.process());
  const auto id = static_cast<id_t>(*session.process());
  EXPECT_EQ(getpriority(PRIO_PROCESS, id), std::min(own + 7, 19));
}

}  // namespace
}  // namespace vyre::worker
