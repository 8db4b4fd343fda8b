#include "tune/tune.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "support/programs.h"
#include "support/stopped_clock.h"
#include "support/worker.h"
#include "tune/kfac_family.h"

namespace vyre::tune {
namespace {

using namespace std::chrono_literals;
using testing::data_of;
using testing::parsed;

constexpr const char* doubled = R"(program doubled {
  buffer x: f32[4096] read
  buffer y: f32[4096] write
  grid 4096
  let i = invocation.x
  y[i] = x[i] * 2.0
}
)";

Workload floats(std::size_t count) {
  std::vector<float> numbers(count, 1.5F);
  return {.uniforms = {}, .buffers = {data_of(numbers), data_of(numbers)}};
}

Family doubled_family(trial::Evaluator& evaluator) {
  auto family = family_of(parsed(doubled), {}, evaluator.adapter().limits);
  if (!family) throw std::runtime_error(family.error().message);
  return *std::move(family);
}

Family programs_family(const space::Space& space,
                       std::function<Result<ir::Program>(space::Index)> member) {
  auto family = family_of({.name = "p", .space = space, .member = std::move(member)}, {});
  if (!family) throw std::runtime_error(family.error().message);
  return *std::move(family);
}

// With few samples. No limit of time is reached on a clock that stands still.
LoopOptions quick(std::size_t evaluations) {
  LoopOptions options{.tune = {.evaluations = evaluations}};
  options.evaluate.repeat.max_samples = 5;
  options.race.max_rounds = 5;
  return options;
}

Result<Tuning> tune_quickly(trial::Evaluator& evaluator, const Family& family,
                            const Workload& workload, const LoopOptions& options,
                            const Watch& watch = {}) {
  testing::StoppedClock clock;
  return tune(evaluator, family, workload, options, watch, clock);
}

TEST(Tune, TriesTheOriginalFirstAndNothingTwice) {
  auto evaluator = testing::evaluator();
  const Family family = doubled_family(evaluator);
  const auto tuned = tune_quickly(evaluator, family, floats(4096), quick(12));
  ASSERT_TRUE(tuned) << tuned.error().message;
  ASSERT_EQ(tuned->attempts.size(), 12U);
  EXPECT_EQ(tuned->attempts[0].index, family.baseline);
  std::set<space::Index> tried;
  for (const Attempt& attempt : tuned->attempts) tried.insert(attempt.index);
  EXPECT_EQ(tried.size(), 12U);
  EXPECT_EQ(tuned->finalists[0], family.baseline);
  EXPECT_EQ(tuned->race.rows.size(), tuned->finalists.size());
  EXPECT_GT(tuned->judgement.elapsed.value, 0);
}

TEST(Tune, EndsWhenTheWatchSaysSoAndKeepsWhatItFound) {
  auto evaluator = testing::evaluator();
  const Family family = doubled_family(evaluator);
  std::size_t seen = 0;
  const auto tuned =
      tune_quickly(evaluator, family, floats(4096), quick(100), [&](const Progress& progress) {
        EXPECT_EQ(progress.evaluated, ++seen);
        EXPECT_EQ(progress.baseline->outcome.verdict, Verdict::correct);
        return seen < 3;
      });
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_EQ(tuned->attempts.size(), 3U);
  EXPECT_TRUE(tuned->race.winner);
}

// The original and members that compute something else, do not end, are not legal.
TEST(Tune, AMemberThatFailsIsAnAttemptWithItsReason) {
  worker::Options worker = testing::worker_options();
  worker.run_limit = 1s;
  auto evaluator = testing::evaluator(worker);
  const auto body = [](const std::string& text) {
    return "program p {\n  buffer x: f32[64] read\n  buffer y: f32[64] write\n  grid 64\n"
           "  let i = invocation.x\n" +
           text + "}\n";
  };
  const std::vector<std::string> programs = {
      body("  y[i] = x[i] * 2.0\n"), body("  y[i] = x[i]\n"),
      body("  var a = x[i]\n  for j in 0 .. 4000000000 {\n    for k in 0 .. 4000000000 {\n"
           "      a = sqrt(a + 1.0)\n    }\n  }\n  y[i] = a\n")};
  const auto space =
      space::Space::of({{"m", {0L, 1L, 2L, 3L}}}, std::vector<space::Digit>{0, 1, 2, 3});
  const Family family = programs_family(*space, [&](space::Index index) -> Result<ir::Program> {
    if (index == 3) return fail(ErrorKind::input, "not legal here");
    return parsed(programs[index]);
  });
  LoopOptions options = quick(10);
  options.tune.strategy = "exhaustive";
  const auto tuned = tune_quickly(evaluator, family, floats(64), options);
  ASSERT_TRUE(tuned) << tuned.error().message;
  ASSERT_EQ(tuned->attempts.size(), 4U);
  EXPECT_EQ(tuned->attempts[1].outcome.verdict, Verdict::correctness);
  EXPECT_EQ(tuned->attempts[2].outcome.verdict, Verdict::timeout);
  EXPECT_EQ(tuned->attempts[3].outcome.verdict, Verdict::constraints);
  EXPECT_EQ(tuned->attempts[3].outcome.reason, "not legal here");
  EXPECT_EQ(tuned->finalists, std::vector<space::Index>{0});
  EXPECT_EQ(tuned->winner(), 0U);
  EXPECT_EQ(tuned->judgement.gain, Gain::alone);
}

TEST(Tune, ABaselineThatFailsEndsTheRunWithTheReason) {
  auto evaluator = testing::evaluator();
  const auto space = space::Space::of({{"m", {0L}}}, std::vector<space::Digit>{0});
  // It reads what nobody wrote, which the interpreter does not let pass.
  const Family family = programs_family(*space, [](space::Index) -> Result<ir::Program> {
    return parsed(
        "program p {\n  buffer x: f32[64] read\n  buffer y: f32[64] write\n"
        "  shared t: f32[64]\n  grid 64\n  y[invocation.x] = t[local.x]\n}\n");
  });
  const auto tuned = tune_quickly(evaluator, family, floats(64), quick(2));
  ASSERT_FALSE(tuned);
  EXPECT_NE(tuned.error().message.find("t["), std::string::npos) << tuned.error().message;
}

TEST(Tune, TriesTheSameForASeedHoweverManyWorkersThereAre) {
  auto evaluator = testing::evaluator(testing::worker_options(), 2);
  const Family family = doubled_family(evaluator);
  LoopOptions options = quick(9);
  options.tune.strategy = "random";  // which does not look at times
  const auto tried = [&] {
    const auto tuned = tune_quickly(evaluator, family, floats(4096), options);
    if (!tuned) throw std::runtime_error(tuned.error().message);
    std::vector<space::Index> members;
    for (const Attempt& attempt : tuned->attempts) members.push_back(attempt.index);
    return members;
  };
  const auto first = tried();
  EXPECT_EQ(first.size(), 9U);
  EXPECT_EQ(tried(), first);
}

// What was asked for and not taken must not be the next run's.
TEST(Tune, ARunThatIsStoppedInABatchLeavesNothingToTheNext) {
  auto evaluator = testing::evaluator(testing::worker_options(), 2);
  const Family family = doubled_family(evaluator);
  const auto stopped =
      tune_quickly(evaluator, family, floats(4096), quick(100),
                   [](const Progress& progress) { return progress.evaluated < 2; });
  ASSERT_TRUE(stopped) << stopped.error().message;
  EXPECT_EQ(stopped->attempts.size(), 2U);
  EXPECT_EQ(evaluator.pending(), 0U);
  const auto next = tune_quickly(evaluator, family, floats(4096), quick(1));
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_EQ(next->race.rows[0].name, family.space.key(family.baseline));
}

TEST(Tune, TriesGuessesWhateverTheBudget) {
  auto evaluator = testing::evaluator();
  const Family family = doubled_family(evaluator);
  LoopOptions options = quick(1);
  options.first = {family.baseline == 7 ? 8U : 7U};
  const auto tuned = tune_quickly(evaluator, family, floats(4096), options);
  ASSERT_TRUE(tuned) << tuned.error().message;
  ASSERT_EQ(tuned->attempts.size(), 2U);
  EXPECT_EQ(tuned->attempts[1].index, options.first[0]);
  EXPECT_NE(tuned->judgement.gain, Gain::alone);
}

// Each look at it is a second later.
class SecondsClock : public Clock {
 public:
  std::chrono::nanoseconds now() override { return now_ += 1s; }

 private:
  std::chrono::nanoseconds now_{};
};

TEST(Tune, EndsWhenItsTimeIsUp) {
  auto evaluator = testing::evaluator();
  const Family family = doubled_family(evaluator);
  LoopOptions options = quick(1000);
  options.tune.time = 10s;
  SecondsClock clock;
  const auto tuned = tune(evaluator, family, floats(4096), options, {}, clock);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_LE(tuned->attempts.size(), 10U);
  EXPECT_GE(tuned->attempts.back().at, 10s);
}

TEST(Tune, TriesGuessesRightAfterTheOriginal) {
  auto evaluator = testing::evaluator();
  const Family family = doubled_family(evaluator);
  const space::Index guess = family.baseline == 7 ? 8 : 7;
  LoopOptions options = quick(3);
  options.first = {family.baseline, guess, guess, family.space.size()};
  const auto tuned = tune_quickly(evaluator, family, floats(4096), options);
  ASSERT_TRUE(tuned) << tuned.error().message;
  ASSERT_EQ(tuned->attempts.size(), 3U);
  EXPECT_EQ(tuned->attempts[1].index, guess);
  EXPECT_NE(tuned->attempts[2].index, guess);
}

TEST(Tune, TheOriginalOnTheDeviceMaySayWhatIsRight) {
  auto evaluator = testing::evaluator();
  const auto body = [](const char* factor) {
    return fmt::format(
        "program p {{\n  buffer x: f32[64] read\n  buffer y: f32[64] write\n  grid 64\n"
        "  y[invocation.x] = x[invocation.x] * {}\n}}\n",
        factor);
  };
  const auto space = space::Space::of({{"m", {0L, 1L}}}, std::vector<space::Digit>{0, 1});
  const Family family = programs_family(*space, [&](space::Index index) -> Result<ir::Program> {
    return parsed(body(index == 0 ? "2.0" : "3.0"));
  });
  LoopOptions options = quick(2);
  options.reference.steps = 0;
  const auto tuned = tune_quickly(evaluator, family, floats(64), options);
  ASSERT_TRUE(tuned) << tuned.error().message;
  ASSERT_EQ(tuned->attempts.size(), 2U);
  EXPECT_EQ(tuned->attempts[0].outcome.verdict, Verdict::correct);
  EXPECT_EQ(tuned->attempts[1].outcome.verdict, Verdict::correctness);
}

TEST(Tune, KfacHasAMemberForEachLayoutAndCountOfLanes) {
  const auto family = kfac_family({.num_blocks = 32, .n = 4});
  ASSERT_TRUE(family);
  std::vector<std::string> keys;
  for (space::Index i = 0; i < family->space.size(); ++i) {
    EXPECT_TRUE(family->members->workgroup(i));
    keys.push_back(family->space.key(i));
  }
  const std::vector<std::string> all = {"item,8",        "group,8",       "interleaved,2",
                                        "interleaved,4", "interleaved,8", "interleaved,16",
                                        "registers,2",   "registers,4",   "registers,8",
                                        "registers,16",  "panels,8"};
  EXPECT_EQ(keys, all);
  EXPECT_EQ(family->space.key(family->baseline), "item,8");
}

TEST(Tune, KfacHasNoMemberThatBlocksAreTooLargeFor) {
  const auto family = kfac_family({.num_blocks = 32, .n = 16});
  ASSERT_TRUE(family);
  for (space::Index i = 0; i < family->space.size(); ++i) {
    EXPECT_FALSE(family->space.key(i).starts_with("registers"));
  }
}

TEST(Tune, KfacLayoutsAgreeWithinTheirTolerance) {
  auto evaluator = testing::evaluator();
  const auto family = kfac_family({.num_blocks = 32, .n = 4});
  ASSERT_TRUE(family);
  std::vector<float> blocks;
  for (int b = 0; b < 32; ++b) {
    for (int i = 0; i < 16; ++i)
      blocks.push_back(i % 5 == 0 ? 9.0F : 1.0F / static_cast<float>(b + 2));
  }
  const auto zeros = [](std::size_t count) { return data_of(std::vector<float>(count)); };
  const Workload workload{
      .uniforms = {}, .buffers = {zeros(512), data_of(blocks), zeros(128), zeros(32), zeros(32)}};
  const auto tuned = tune_quickly(evaluator, *family, workload, quick(100));
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_EQ(tuned->attempts.size(), family->space.size());
  for (const Attempt& attempt : tuned->attempts) {
    EXPECT_EQ(attempt.outcome.verdict, Verdict::correct)
        << family->space.key(attempt.index) << ": " << attempt.outcome.reason;
  }
}

}  // namespace
}  // namespace vyre::tune
