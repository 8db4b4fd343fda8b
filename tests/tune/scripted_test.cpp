// The loop with times that are known beforehand: which are tried, abandoned, kept for the race, and
// what comes of it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "support/programs.h"
#include "support/stopped_clock.h"
#include "support/worker.h"
#include "tune/tune.h"

namespace vyre::tune {
namespace {

using namespace std::chrono_literals;
using testing::data_of;
using testing::parsed;
using Indices = std::vector<space::Index>;

// y = 2 x; member i is the program m<i>.
Result<ir::Program> member(space::Index index) {
  return parsed(
      fmt::format("program m{} {{\n  buffer x: u32[64] read\n  buffer y: u32[64] write\n  grid 64\n"
                  "  y[invocation.x] = x[invocation.x] * 2\n}}\n",
                  index));
}

constexpr int stuck = -1;  // its compiler does not come to an end

// Members that take these microseconds, the baseline first, tried in their order.
class ScriptedTuning {
 public:
  explicit ScriptedTuning(const std::vector<int>& times, std::size_t workers = 1)
      : evaluator_(testing::evaluator(testing::scripted_options(script_of(times)), workers)) {
    space::Parameter parameter{"m", {}};
    std::vector<space::Digit> rows;
    for (std::size_t i = 0; i < times.size(); ++i) {
      parameter.values.emplace_back(static_cast<std::int64_t>(i));
      rows.push_back(static_cast<space::Digit>(i));
    }
    const auto made = [this](space::Index index) {
      asked_for.insert(index);
      return member(index);
    };
    family_ = *family_of(
        {.name = "p", .space = *space::Space::of({parameter}, rows), .member = made}, {});
    options.tune = {.strategy = "exhaustive", .evaluations = times.size()};
    options.evaluate.repeat.max_samples = 6;
    options.race.max_rounds = 10;
  }

  Tuning run(const Watch& watch = {}) {
    const std::vector<std::uint32_t> numbers(64, 3);
    auto tuned = tune(evaluator_, *family_, {{}, {data_of(numbers), data_of(numbers)}}, options,
                      watch, clock_);
    if (!tuned) throw std::runtime_error(tuned.error().message);
    return *std::move(tuned);
  }

  void wait(std::chrono::nanoseconds time) { clock_.advance(time); }

  LoopOptions options;
  std::set<space::Index> asked_for;  // members that were made at all

 private:
  static std::string script_of(const std::vector<int>& times) {
    std::string script;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const std::string does = times[i] == stuck ? "stuck" : std::to_string(times[i]);
      script += fmt::format("m{}: {}; ", i, does);
    }
    return script;
  }

  testing::StoppedClock clock_;
  trial::Evaluator evaluator_;
  std::optional<Family> family_;
};

Indices tried(const Tuning& tuning) {
  Indices members;
  for (const Attempt& attempt : tuning.attempts) members.push_back(attempt.index);
  return members;
}

TEST(ScriptedTune, TheBaselineRacesAgainstTheThreeThatWereFastest) {
  ScriptedTuning scripted({1000, 500, 300, 800, 400, 350, 900});
  const Tuning tuning = scripted.run();
  EXPECT_EQ(tuning.attempts.size(), 7U);
  EXPECT_EQ(tuning.finalists, (Indices{0, 2, 5, 4}));
  EXPECT_EQ(tuning.winner(), 2U);
  EXPECT_EQ(tuning.judgement.gain, Gain::faster);
  EXPECT_DOUBLE_EQ(tuning.judgement.elapsed.value, 300e3);
  EXPECT_NEAR(tuning.judgement.baseline->speedup.value, 1000.0 / 300, 1e-9);
}

TEST(ScriptedTune, AsManyRaceAsAreAskedFor) {
  ScriptedTuning scripted({1000, 500, 300, 400});
  scripted.options.finalists = 1;
  EXPECT_EQ(scripted.run().finalists, (Indices{0, 2}));
}

TEST(ScriptedTune, AnOriginalThatNothingBeatsStays) {
  ScriptedTuning scripted({100, 500, 110, 400});
  const Tuning tuning = scripted.run();
  EXPECT_EQ(tuning.finalists[1], 2U);
  EXPECT_EQ(tuning.winner(), 0U);
  EXPECT_EQ(tuning.judgement.gain, Gain::none);
}

TEST(ScriptedTune, TheWatchSeesTheBestSoFar) {
  ScriptedTuning scripted({1000, 1200, 500, 700, 300, 400});
  Indices best;
  scripted.run([&](const Progress& progress) {
    best.push_back(progress.best->index);
    EXPECT_EQ(progress.baseline->index, 0U);
    EXPECT_EQ(progress.latest->index, progress.evaluated - 1);
    EXPECT_EQ(progress.left, scripted.options.tune.time) << "the clock stands still";
    EXPECT_EQ(progress.evaluations, 6U);
    EXPECT_EQ(progress.last, progress.evaluated == 6);
    return true;
  });
  EXPECT_EQ(best, (Indices{0, 0, 2, 2, 4, 4}));
}

// Two workers are given four at once. Of those that take a second each, one can be done in the last
// second.
TEST(ScriptedTune, TowardsTheEndItBeginsNoMoreThanThereIsTimeFor) {
  ScriptedTuning scripted({1000, 900, 800, 700, 600, 500, 400, 300, 200, 100, 90, 80}, 2);
  scripted.options.tune.time = 5s;
  const Tuning tuning = scripted.run([&](const Progress&) {
    scripted.wait(1s);
    return true;
  });
  EXPECT_EQ(tried(tuning), (Indices{0, 1, 2, 3, 4, 5}));
}

// An eighth of the budget, where others are compiled at once.
TEST(ScriptedTune, GivesUpWhatIsCompiledForAGoodPartOfTheBudget) {
  ScriptedTuning scripted({1000, stuck, 500});
  scripted.options.tune.time = 8s;
  const Tuning tuning = scripted.run();
  ASSERT_EQ(tuning.attempts.size(), 3U);
  EXPECT_EQ(tuning.attempts[1].outcome.verdict, Verdict::timeout);
  EXPECT_EQ(tuning.attempts[1].outcome.reason,
            "compiling it for its first launch took longer than 1 s and was stopped");
  EXPECT_EQ(tuning.winner(), 2U);
}

// More than three times the best after one sample, more than a quarter slower after five.
TEST(ScriptedTune, AbandonsWhatIsSurelySlowerThanTheBestSoFar) {
  ScriptedTuning scripted({1000, 2000, 200, 700, 240, 260, 190});
  const Tuning tuning = scripted.run();
  std::vector<std::size_t> samples;
  std::vector<measure::Stop> stops;
  for (const Attempt& attempt : tuning.attempts) {
    samples.push_back(attempt.outcome.measured->samples.size());
    stops.push_back(attempt.outcome.measured->stop);
  }
  using enum measure::Stop;
  EXPECT_EQ(stops, (std::vector{narrow, abandoned, narrow, abandoned, narrow, abandoned, narrow}));
  EXPECT_EQ(samples, (std::vector<std::size_t>{5, 3, 5, 1, 5, 5, 5}));
  EXPECT_EQ(tuning.finalists, (Indices{0, 6, 2, 4}));
  EXPECT_EQ(tuning.winner(), 6U);
}

TEST(ScriptedTune, TriesNoGuessAfterItIsStopped) {
  const auto stop_at_two = [](const Progress& progress) { return progress.evaluated < 2; };
  for (const int kind : {0, 1, 2}) {
    ScriptedTuning scripted({1000, 500, 300, 800, 400});
    const Indices guesses = {4, 3, 2, 1};
    if (kind == 0) scripted.options.first = guesses;
    if (kind == 1) scripted.options.promising = guesses;
    if (kind == 2) scripted.options.only = guesses;
    EXPECT_EQ(tried(scripted.run(stop_at_two)), (Indices{0, 4})) << kind;
    EXPECT_EQ(scripted.asked_for, (std::set<space::Index>{0, 4})) << kind;
  }
}

TEST(ScriptedTune, TriesGuessesInTheirOrderAndThenSearches) {
  ScriptedTuning scripted({1000, 500, 300, 800, 400});
  scripted.options.first = {3};
  scripted.options.promising = {4, 3, 2};
  EXPECT_EQ(tried(scripted.run()), (Indices{0, 3, 4, 2, 1}));
}

TEST(ScriptedTune, GoesOnWhereARunEndedBeforeItsTime) {
  ScriptedTuning scripted({1000, 500, 300, 800, 400});
  scripted.options.promising = {2, 3};
  scripted.options.finalists = 0;
  const Tuning begun =
      scripted.run([](const Progress& progress) { return progress.evaluated < 3; });
  EXPECT_EQ(tried(begun), (Indices{0, 2, 3}));
  scripted.options.before = begun.attempts;
  scripted.asked_for.clear();
  std::vector<std::size_t> evaluated;
  const Tuning all = scripted.run([&](const Progress& progress) {
    evaluated.push_back(progress.evaluated);
    EXPECT_EQ(progress.best->index, 2U) << "it is remembered";
    return true;
  });
  EXPECT_EQ(tried(all), (Indices{0, 2, 3, 1, 4}));
  EXPECT_EQ(evaluated, (std::vector<std::size_t>{4, 5}));
}

TEST(ScriptedTune, TriesOnlyWhatItIsToldTo) {
  ScriptedTuning scripted({1000, 500, 300, 800, 400});
  scripted.options.only = {3, 1};
  EXPECT_EQ(tried(scripted.run()), (Indices{0, 3, 1}));
  scripted.options.only = {4, 3, 2, 1};
  scripted.options.tune.evaluations = 3;
  EXPECT_EQ(tried(scripted.run()), (Indices{0, 4, 3}));
}

}  // namespace
}  // namespace vyre::tune
