// The way from a family to a decision, with real workers and a store on disk.
#include "tune/decide.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/programs.h"
#include "support/stopped_clock.h"
#include "support/subprocess.h"
#include "support/worker.h"
#include "tune/remember.h"
#include "tune/start.h"

namespace vyre::tune {
namespace {

using testing::data_of;
using testing::parsed;

// y = 2 x, or something else.
std::string scaled(const std::string& factor) {
  return "program p {\n  buffer x: f32[64] read\n  buffer y: f32[64] write\n  grid 64\n"
         "  y[invocation.x] = x[invocation.x] * " +
         factor + "\n}\n";
}

// The first member is the baseline; the others multiply by these.
Family family_with(const std::vector<std::string>& factors) {
  space::Parameter parameter{"m", {0L}};
  std::vector<space::Digit> rows = {0};
  for (std::size_t i = 0; i < factors.size(); ++i) {
    parameter.values.emplace_back(static_cast<std::int64_t>(i + 1));
    rows.push_back(static_cast<space::Digit>(i + 1));
  }
  auto family = family_of({.name = "p",
                           .space = *space::Space::of({parameter}, rows),
                           .member = [factors](space::Index i) -> Result<ir::Program> {
                             return parsed(scaled(i == 0 ? "2.0" : factors[i - 1]));
                           }},
                          {});
  if (!family) throw std::runtime_error(family.error().message);
  return *std::move(family);
}

class Decide : public ::testing::Test {
 protected:
  Decide() : store(dir.path(), {"opencl-test", "test", "1"}) {}

  Result<Decided> decide(const Family& family, bool again = false) {
    const Bench bench{.evaluator = [&]() -> Result<trial::Evaluator*> {
                        ++started;
                        if (!evaluator) evaluator.emplace(testing::evaluator());
                        return &*evaluator;
                      },
                      .workload = []() -> Result<Workload> {
                        const auto x = std::vector<float>(64, 1.5F);
                        return Workload{.uniforms = {}, .buffers = {data_of(x), data_of(x)}};
                      }};
    DecideOptions options{.again = again, .store = &store, .counters = &counters};
    options.loop.tune = {.strategy = "exhaustive", .evaluations = 10};
    options.loop.evaluate.repeat.max_samples = 5;
    options.loop.race.max_rounds = 5;
    testing::StoppedClock clock;
    return tune::decide(family, bench, options, clock);
  }

  testing::TemporaryDirectory dir;
  store::Store store;
  Counters counters;
  std::optional<trial::Evaluator> evaluator;
  int started = 0;
};

TEST_F(Decide, WhatWasDecidedIsFoundAgainWithoutAWorker) {
  const Family family = family_with({"2.0", "2.0"});
  const auto first = decide(family);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->origin, Origin::tuned);
  EXPECT_TRUE(first->remembered);
  ASSERT_TRUE(first->tuning);
  EXPECT_EQ(first->tuning->attempts.size(), 3U);
  EXPECT_EQ(started, 1);

  const auto second = decide(family);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->origin, Origin::exact);
  EXPECT_EQ(second->member, first->member);
  EXPECT_FALSE(second->tuning);
  EXPECT_EQ(started, 1);
  EXPECT_EQ(counters.read()[Count::tunings], 1U);
  EXPECT_EQ(counters.read()[Count::exact_matches], 1U);
}

TEST_F(Decide, WhatIsKnownIsTriedFirstWhenItIsDecidedAgain) {
  const Family family = family_with({"2.0", "2.0", "2.0"});
  const Judgement judged{
      .gain = Gain::faster,
      .compared = true,
      .elapsed = {10, {9, 11}},
      .baseline = store::Baseline{.elapsed = {30, {29, 31}}, .speedup = {3, {2.9, 3.1}}},
      .samples = 12};
  ASSERT_TRUE(store.record(*decision_of(family, 3, judged, "natural")));
  const auto decided = decide(family, true);
  ASSERT_TRUE(decided && decided->tuning);
  EXPECT_EQ(decided->tuning->attempts[1].index, 3U);
}

TEST_F(Decide, NothingIsRememberedIfAllButTheBaselineFailed) {
  const Family family = family_with({"3.0", "4.0"});
  const auto decided = decide(family);
  ASSERT_TRUE(decided) << decided.error().message;
  EXPECT_EQ(decided->origin, Origin::original);
  EXPECT_EQ(decided->member, family.baseline);
  EXPECT_FALSE(decided->remembered);
  EXPECT_EQ(store.size(), 0U);
  EXPECT_EQ(decided->notes,
            std::vector<std::string>{"nothing but the default was correct; nothing is remembered"});
  EXPECT_EQ(counters.read()[Count::wrong_results], 2U);
}

TEST_F(Decide, ABaselineThatFailsIsAnError) {
  auto family =
      family_of({.name = "p",
                 .space = *space::Space::of({{"m", {0L, 1L}}}, std::vector<space::Digit>{0, 1}),
                 .member = [](space::Index) -> Result<ir::Program> {
                   return parsed(
                       "program p {\n  buffer x: f32[64] read\n  buffer y: f32[64] "
                       "write\n  grid 64\n  y[invocation.x + 1] = x[invocation.x]\n}\n");
                 }},
                {});
  ASSERT_TRUE(family);
  EXPECT_FALSE(decide(*family));
  EXPECT_EQ(store.size(), 0U);
}

constexpr device::Limits limits{
    .max_workgroup = 1024, .max_workgroup_dims = {1024, 1024, 64}, .shared_bytes = 32'768};

Family map_of(const std::string& expression) {
  auto family = family_of(parsed("program q {\n  buffer x: f32[65536] read\n  buffer y: f32[65536] "
                                 "write\n  grid 65536\n  let i = invocation.x\n  y[i] = " +
                                 expression + "\n}\n"),
                          {}, limits);
  if (!family) throw std::runtime_error(family.error().message);
  return *std::move(family);
}

TEST_F(Decide, StartsFromWhatWasGoodForOtherProgramsLikeIt) {
  const Family known = map_of("x[i] * 2.0");
  const Family other = map_of("x[i] * x[i]");
  ASSERT_NE(known.dispatch.program, other.dispatch.program);
  const auto before = promising_members(other, &store);
  // A member that nothing else suggests.
  space::Index odd = 0;
  while (odd == other.baseline || std::ranges::find(before, odd) != before.end() ||
         !known.members->workgroup(odd)) {
    ++odd;
  }
  const Judgement judged{
      .gain = Gain::faster,
      .compared = true,
      .elapsed = {10, {9, 11}},
      .baseline = store::Baseline{.elapsed = {30, {29, 31}}, .speedup = {3, {2.9, 3.1}}},
      .samples = 12};
  ASSERT_TRUE(store.record(*decision_of(known, odd, judged, "natural")));
  const auto after = promising_members(other, &store);
  EXPECT_NE(std::ranges::find(after, odd), after.end());
  const auto own = promising_members(known, &store);
  EXPECT_EQ(std::ranges::find(own, odd), own.end()) << "a lookup finds its own";
}

}  // namespace
}  // namespace vyre::tune
