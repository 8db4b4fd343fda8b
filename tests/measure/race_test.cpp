#include "measure/race.h"

#include <gtest/gtest.h>

#include "measure/simulated_machine.h"

namespace vyre::measure {
namespace {

using namespace std::chrono_literals;
using testing::Disturbance;
using testing::FakeClock;
using testing::SimulatedMachine;

struct Tally {
  int right = 0;
  int tied = 0;
  int wrong = 0;
  double samples = 0;  // of each candidate, on average
};

// 500 races of two candidates of which one takes `ratio` times as long.
Tally races(double ratio, Basis basis) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SimulatedMachine machine(seed);
    const std::size_t faster = seed % 2;
    const Entrant entrants[] = {{machine.kernel(faster == 0 ? 1e6 : 1e6 * ratio)},
                                {machine.kernel(faster == 1 ? 1e6 : 1e6 * ratio)}};
    const auto result =
        race(entrants, machine.clock(),
             {.basis = basis, .confirm_by_wall = basis == Basis::cpu, .seed = seed});
    const bool decided = result->standings[1 - result->winner].rank == Rank::slower;
    tally.tied += static_cast<int>(!decided);
    tally.right += static_cast<int>(decided && result->winner == faster);
    tally.wrong += static_cast<int>(decided && result->winner != faster);
    tally.samples += result->rounds / 500.0;
  }
  ::testing::Test::RecordProperty("samples", std::to_string(tally.samples));
  return tally;
}

TEST(RecordedNoise, FivePercentApartByCpuTimeTheFasterWins) {
  const Tally tally = races(1.05, Basis::cpu);
  EXPECT_LE(tally.wrong, 5);
  EXPECT_GE(tally.right, 485);
  EXPECT_LE(tally.samples, 15);
}

TEST(RecordedNoise, FivePercentApartByWallTimeTheSlowerHardlyEverWins) {
  const Tally tally = races(1.05, Basis::wall);
  EXPECT_LE(tally.wrong, 5);
  EXPECT_GE(tally.right, 200);
  EXPECT_LE(tally.samples, 60);
}

TEST(RecordedNoise, TwentyPercentApartSixSamplesAreEnough) {
  const Tally tally = races(1.20, Basis::cpu);
  EXPECT_LE(tally.wrong, 1);
  EXPECT_GE(tally.right, 490);
  EXPECT_LE(tally.samples, 6);
}

TEST(RecordedNoise, EqualCandidatesTie) {
  EXPECT_GE(races(1.0, Basis::cpu).tied, 480);
  EXPECT_GE(races(1.0, Basis::wall).tied, 470);
}

TEST(Race, OfManyDropsTheSlowOnesAndKeepsTheTie) {
  SimulatedMachine machine(4, {.bursts = false, .slow_phases = false, .drift = 0});
  const Entrant entrants[] = {
      {machine.kernel(2e6)}, {machine.kernel(1e6)}, {machine.kernel(1e6)}, {machine.kernel(1.3e6)}};
  const auto result = race(entrants, machine.clock(), {.basis = Basis::cpu, .max_rounds = 200});
  ASSERT_TRUE(result);
  const auto& s = result->standings;
  EXPECT_EQ(s[0].rank, Rank::slower);
  EXPECT_EQ(s[3].rank, Rank::slower);
  EXPECT_TRUE(result->winner == 1 || result->winner == 2);
  EXPECT_EQ(s[3 - result->winner].rank, Rank::tied);
  EXPECT_LT(s[0].samples.size(), result->rounds) << "it dropped out";
  EXPECT_NEAR(s[0].ratio, 2, 0.2);
}

TEST(Race, OfOneIsWon) {
  SimulatedMachine machine(1);
  const Entrant entrants[] = {{machine.kernel(1e6)}};
  const auto result = race(entrants, machine.clock());
  ASSERT_TRUE(result);
  EXPECT_EQ(result->standings[0].rank, Rank::winner);
}

TEST(Race, EndsWhenItsTimeIsUsed) {
  SimulatedMachine machine(1);
  const Entrant entrants[] = {{machine.kernel(1e9)}, {machine.kernel(1.01e9)}};
  const auto result = race(entrants, machine.clock(), {.budget = 3s});
  ASSERT_TRUE(result);
  EXPECT_LE(result->rounds, 3U);
  EXPECT_EQ(result->standings[1 - result->winner].rank, Rank::tied);
}

TEST(Race, TellsWhatIsFiveTimesAsFastWhateverTheBudget) {
  SimulatedMachine machine(1);
  const Entrant entrants[] = {{machine.kernel(2e9)}, {machine.kernel(0.4e9)}};
  const auto result = race(entrants, machine.clock(), {.budget = 1s});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->winner, 1U);
  EXPECT_EQ(result->standings[0].rank, Rank::slower);
}

TEST(Race, IsTheSameForASeed) {
  const auto run = [] {
    SimulatedMachine machine(9);
    const Entrant entrants[] = {{machine.kernel(1e6)}, {machine.kernel(1.04e6)}};
    return race(entrants, machine.clock(), {.basis = Basis::cpu, .seed = 5})->rounds;
  };
  EXPECT_EQ(run(), run());
}

// What rivals of constant times, in nanoseconds, become against one that takes a millisecond.
std::vector<Rank> ranks_of(const std::vector<double>& rivals) {
  FakeClock clock;
  std::vector<Entrant> entrants;
  for (const double ns : rivals) {
    entrants.push_back({[=](std::uint32_t) -> Result<Sample> { return Sample{.wall_ns = ns}; }});
  }
  entrants.push_back({[](std::uint32_t) -> Result<Sample> { return Sample{.wall_ns = 1e6}; }});
  const auto result = race(entrants, clock, {.max_rounds = 20});
  std::vector<Rank> ranks;
  for (const Standing& standing : result->standings) ranks.push_back(standing.rank);
  return ranks;
}

TEST(Race, ADifferenceWithinTheMarginIsATieHoweverSureItIs) {
  EXPECT_EQ(ranks_of({1.01e6, 1.015e6}), (std::vector{Rank::tied, Rank::tied, Rank::winner}));
  EXPECT_EQ(ranks_of({1.03e6, 1.01e6}), (std::vector{Rank::slower, Rank::tied, Rank::winner}));
}

// Times are compared within their round: the slower one may have the better rounds.
TEST(Race, WhoWasOnceFasterThanTheLeaderEverWasIsNotSlower) {
  FakeClock clock;
  std::uint32_t taken = 0;
  const Sampler mostly_slow = [&](std::uint32_t) -> Result<Sample> {
    return Sample{.wall_ns = taken++ == 2 ? 0.9e6 : 1.1e6};
  };
  const Sampler steady = [](std::uint32_t) -> Result<Sample> { return Sample{.wall_ns = 1e6}; };
  const Entrant entrants[] = {{mostly_slow}, {steady}};
  const auto result = race(entrants, clock, {.max_rounds = 30});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->winner, 1U);
  EXPECT_EQ(result->standings[0].rank, Rank::tied);
  EXPECT_EQ(result->rounds, 30U) << "nothing is settled";
}

TEST(Race, LooksAtAllBeforeItHasItsFewestRounds) {
  FakeClock clock;
  const auto always = [](double ns) -> Sampler {
    return [=](std::uint32_t) -> Result<Sample> { return Sample{.wall_ns = ns}; };
  };
  const Entrant entrants[] = {{always(1e6)}, {always(9e6)}};
  const auto result = race(entrants, clock, {.min_rounds = 7});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->rounds, 7U);
  EXPECT_EQ(result->standings[1].samples.size(), 7U);
}

// Less CPU time in all, but on one thread while the others wait.
TEST(Race, ADifferenceThatWallTimeContradictsIsATie) {
  FakeClock clock;
  const auto always = [](double cpu, double wall) -> Sampler {
    return [=](std::uint32_t) -> Result<Sample> { return Sample{.wall_ns = wall, .cpu_ns = cpu}; };
  };
  const Entrant entrants[] = {{always(1.0e6, 1.0e6)}, {always(1.4e6, 0.7e6)}};
  const auto result =
      race(entrants, clock, {.basis = Basis::cpu, .confirm_by_wall = true, .max_rounds = 10});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->winner, 0U);
  EXPECT_EQ(result->standings[1].rank, Rank::tied);
  EXPECT_TRUE(result->standings[1].contradicted);
}

TEST(Race, AClockThatReadsNothingMakesATie) {
  FakeClock clock;
  const Sampler zero = [](std::uint32_t) -> Result<Sample> { return Sample{}; };
  const Entrant entrants[] = {{zero}, {zero}};
  const auto result = race(entrants, clock);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->standings[1].rank, Rank::tied);
}

}  // namespace
}  // namespace vyre::measure
