// Trials in a worker that follows a script: times are known beforehand, and damage is where it is
// put.
#include <gtest/gtest.h>

#include "support/programs.h"
#include "support/stopped_clock.h"
#include "support/worker.h"
#include "trial/time.h"

namespace vyre::trial {
namespace {

using namespace std::chrono_literals;
using testing::data_of;
using testing::parsed;
using testing::scripted_options;
using testing::worker_session;

// y = x + 1 under this name.
Candidate named(const std::string& name) {
  const std::vector<std::uint32_t> numbers(64, 7);
  return candidate({parsed("program " + name +
                           " {\n  buffer x: u32[64] read\n  buffer y: u32[64] write\n  grid 64\n"
                           "  y[invocation.x] = x[invocation.x] + 1\n}\n"),
                    {}},
                   {data_of(numbers), data_of(numbers)}, Language::vy)
      .value();
}

// By wall time, as it comes, on a clock that stands still.
class Scripted : public ::testing::Test {
 protected:
  static EvaluateOptions by_wall() {
    return {.repeat = {.max_samples = 6}, .basis = measure::Basis::wall};
  }
  static TimeOptions timing() { return {.evaluate = by_wall(), .race = {.max_rounds = 6}}; }

  void start(const std::string& script, std::chrono::milliseconds run_limit = 60s) {
    worker::Options options = scripted_options(script);
    options.run_limit = run_limit;
    session.emplace(worker_session(options));
  }
  Outcome outcome(const std::string& name) {
    auto evaluated = evaluate(*session, named(name), by_wall(), clock);
    if (!evaluated) throw std::runtime_error(evaluated.error().message);
    return evaluated->outcome();
  }
  Report timed(const std::vector<std::string>& names) {
    std::vector<Candidate> candidates;
    for (const std::string& name : names) candidates.push_back(named(name));
    auto report = time(*session, candidates, timing(), clock);
    if (!report) throw std::runtime_error(report.error().message);
    return *std::move(report);
  }

  std::optional<worker::Session> session;
  testing::StoppedClock clock;
};

using ScriptedTrial = Scripted;
using ScriptedRace = Scripted;

std::vector<double> times_of(const std::vector<measure::Sample>& samples) {
  std::vector<double> times;
  for (const auto& sample : samples) times.push_back(sample.wall_ns);
  return times;
}

TEST_F(ScriptedTrial, GivesTheTimeOfALaunchHoweverManyMakeASample) {
  start("quick: 20");
  const Outcome got = outcome("quick");
  ASSERT_TRUE(got.measured);
  EXPECT_EQ(got.measured->samples.back().launches, 25U) << "half a millisecond";
  EXPECT_DOUBLE_EQ(got.measured->estimate_ns, 20e3);
  EXPECT_EQ(got.measured->samples.size(), 5U);
}

// It was verified, and then its worker was lost: the new one launches it for the first time.
TEST_F(ScriptedTrial, WhatOnlyAFirstLaunchCostsIsNoTimeOfTheKernel) {
  start("cold: 9000 100");
  auto prepared = prepare(*session, named("cold"), by_wall(), clock);
  ASSERT_TRUE(prepared) << prepared.error().message;
  session->renew();
  EvaluateOptions options = by_wall();
  options.repeat.warm_up = 0;
  ASSERT_TRUE(prepared->measure(options, clock));
  EXPECT_EQ(times_of(prepared->outcome().measured->samples), std::vector<double>(5, 100e3));
}

TEST_F(ScriptedRace, WhatOnlyAFirstLaunchCostsDoesNotCountInTheRace) {
  start("cold: 9000 100; rival: 120");
  std::vector<Evaluated> entrants;
  for (const char* name : {"cold", "rival"}) {
    auto evaluated = evaluate(*session, named(name), by_wall(), clock);
    ASSERT_TRUE(evaluated) << evaluated.error().message;
    entrants.push_back(*std::move(evaluated));
  }
  session->renew();
  const auto report = race(entrants, session->adapter(), timing(), clock);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->winner, 0U);
  for (const double ns : times_of(report->rows[0].standing->samples)) EXPECT_DOUBLE_EQ(ns, 100e3);
  EXPECT_EQ(report->rows[1].standing->rank, measure::Rank::slower);
  EXPECT_DOUBLE_EQ(report->rows[1].time_ns, 120e3);
}

TEST_F(ScriptedRace, IsOfThoseThatAreNotSurelySlowerThanTheBestSoFar) {
  start("slow: 1000; fast: 100; middle: 350; near: 120");
  const Report report = timed({"slow", "fast", "middle", "near"});
  EXPECT_EQ(report.winner, 1U);
  EXPECT_TRUE(report.rows[0].standing) << "nothing was faster when it was measured";
  EXPECT_FALSE(report.rows[2].standing);
  EXPECT_EQ(report.rows[2].outcome.measured->stop, measure::Stop::abandoned);
  EXPECT_EQ(report.rows[2].outcome.measured->samples.size(), 1U);
  EXPECT_DOUBLE_EQ(report.rows[2].time_ns, 350e3);
  EXPECT_TRUE(report.rows[3].standing);
}

// Verified, two warm-ups and five samples; then it hangs at its second turn.
TEST_F(ScriptedRace, AgainstOneThatHangsIsRunAgainAlsoByThoseThatWereAbandonedForIt) {
  start("hangs: 100 100 100 100 100 100 100 100 100 100 hang; slow: 1000; slower: 1100", 2s);
  const Report report = timed({"hangs", "slow", "slower"});
  EXPECT_EQ(report.rows[0].outcome.verdict, Verdict::timeout) << report.rows[0].outcome.reason;
  EXPECT_FALSE(report.rows[0].standing);
  EXPECT_EQ(report.rows[1].outcome.measured->stop, measure::Stop::abandoned);
  EXPECT_EQ(report.winner, 1U);
  ASSERT_TRUE(report.rows[1].standing && report.rows[2].standing);
  EXPECT_EQ(report.rows[2].standing->rank, measure::Rank::slower);
}

TEST_F(ScriptedTrial, ACompilerThatBringsItsWorkerDownIsAskedOnceMoreInANewOne) {
  start("unlucky: breaks-once; broken: breaks");
  const Outcome unlucky = outcome("unlucky");
  EXPECT_EQ(unlucky.verdict, Verdict::correct) << unlucky.reason;
  EXPECT_EQ(session->started(), 2U);
  session->renew();
  EXPECT_EQ(outcome("broken").verdict, Verdict::compile);
  EXPECT_EQ(session->started(), 4U);
}

TEST_F(ScriptedTrial, AWorkerInWhichAResultWasWrongIsNotKept) {
  start("damages: damage");
  EXPECT_EQ(outcome("damages").verdict, Verdict::correctness);
  EXPECT_FALSE(session->process());
  EXPECT_EQ(outcome("innocent").verdict, Verdict::correct);
  EXPECT_EQ(session->started(), 2U);
}

// The first one is right when it is verified, and does its damage while it is timed.
TEST_F(ScriptedTrial, DamageThatAnotherDidIsNotBlamedOnTheNextKernel) {
  start("damages: 100 100 damage");
  EXPECT_EQ(outcome("damages").verdict, Verdict::correct);
  EXPECT_EQ(session->started(), 1U);
  const Outcome next = outcome("innocent");
  EXPECT_EQ(next.verdict, Verdict::correct) << next.reason;
  EXPECT_EQ(session->started(), 2U);
}

TEST_F(ScriptedTrial, AResultThatIsWrongInANewWorkerTooIsTheKernelsFaultAndThatWorkerGoesToo) {
  start("damages: damage");
  EXPECT_EQ(outcome("innocent").verdict, Verdict::correct);
  EXPECT_EQ(outcome("damages").verdict, Verdict::correctness);
  EXPECT_EQ(session->started(), 2U) << "it was tried again in a new one";
  EXPECT_FALSE(session->process());
  EXPECT_EQ(outcome("innocent").verdict, Verdict::correct);
}

TEST_F(ScriptedTrial, ACrashInAWorkerThatOthersUsedIsBelievedWhenItHappensInANewOne) {
  start("crashes: crash");
  EXPECT_EQ(outcome("innocent").verdict, Verdict::correct);
  EXPECT_EQ(outcome("crashes").verdict, Verdict::runtime);
  EXPECT_EQ(session->started(), 2U);
}

}  // namespace
}  // namespace vyre::trial
