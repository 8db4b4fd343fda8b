#include "vyre/tune/natural_sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/fixed.h"
#include "support/device.h"
#include "tune/policy.h"

namespace vyre::tune {
namespace {

const std::vector<Extent> three = {{64, 1, 1}, {128, 1, 1}, {256, 1, 1}};

// Gives each size its times one after the other, and the last of them from then on; remembers what
// was timed. A size without times is a failure.
struct ScriptedTimes {
  std::map<std::uint32_t, std::vector<std::uint64_t>> times;
  std::vector<std::uint32_t> timed = {};

  Timer timer() {
    return [this](const Extent& workgroup) -> Result<std::uint64_t> {
      const std::uint32_t size = workgroup[0];
      const auto before = static_cast<std::size_t>(std::ranges::count(timed, size));
      timed.push_back(size);
      if (!times.contains(size)) return fail(ErrorKind::device, "the device is gone");
      return times[size][std::min(before, times[size].size() - 1)];
    };
  }
};

PolicyResult<NaturalSweep> sweep(ScriptedTimes& times, const NaturalSweepOptions& options,
                                 std::span<const Extent> candidates = three) {
  const auto device = testing::opened("reference");
  return natural_sweep(*device, candidates, times.timer(), options);
}

TEST(NaturalSweep, WithTheIdentitySelectsAndProbesTheFastest) {
  ScriptedTimes times{{{64, {12'000}}, {128, {8'000}}, {256, {10'000}}}};
  const auto made = sweep(times, {.temperature = 4'000, .matrix = identity_matrix(3), .probes = 2});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(times.timed, (std::vector<std::uint32_t>{64, 128, 256, 128, 128}));
  EXPECT_EQ(made->selected, (Timed{{128, 1, 1}, 8'000}));
  EXPECT_EQ(made->fastest, made->selected);
  EXPECT_EQ(made->timings, 5U);
  EXPECT_EQ(made->measured[0], (Timed{{64, 1, 1}, 12'000}));
}

TEST(NaturalSweep, AMatrixThatIsGivenDecidesWhatIsProbed) {
  ScriptedTimes times{{{64, {12'000}}, {128, {8'000}}, {256, {10'000}}}};
  std::vector<std::int32_t> matrix = identity_matrix(3);
  matrix[0] = to_fixed(8.0);
  const auto made = sweep(times, {.temperature = 4'000, .matrix = matrix, .probes = 2});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(times.timed, (std::vector<std::uint32_t>{64, 128, 256, 64, 64}));
  EXPECT_EQ(made->selected.workgroup[0], 64U);
  EXPECT_EQ(made->fastest.workgroup[0], 128U);
  EXPECT_EQ(made->preconditioned[0], 8 * std::int64_t{made->weights[0]});
}

TEST(NaturalSweep, AProbeThatDisappointsGivesWayToTheNextOne) {
  ScriptedTimes times{{{64, {12'000}}, {128, {8'000, 30'000}}, {256, {10'000}}}};
  const auto made =
      sweep(times, {.temperature = 1'000, .matrix = identity_matrix(3), .rounds = 1, .probes = 3});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(times.timed, (std::vector<std::uint32_t>{64, 128, 256, 128, 128, 256}));
  EXPECT_EQ(made->selected.workgroup[0], 256U);
}

// What a candidate took is the median of its rounds: one that was held up counts for nothing.
TEST(NaturalSweep, EstimatesTheMatrixFromAsManyRoundsAsCandidates) {
  ScriptedTimes times{{{64, {12'000}}, {128, {8'000, 90'000, 8'000}}, {256, {10'000}}}};
  const auto made = sweep(times, {.probes = 0});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->timings, 9U);
  EXPECT_EQ(made->fastest, (Timed{{128, 1, 1}, 8'000}));
  EXPECT_NE(made->matrix, identity_matrix(3));

  const auto device = testing::opened("reference");
  auto expected = PolicyMatrix::make(*device, {64, 128, 256}, {});
  ASSERT_TRUE(expected) << expected.error().message;
  for (const std::uint64_t middle : {8'000UL, 90'000UL, 8'000UL}) {
    ASSERT_TRUE(expected->add_round(std::vector<std::uint64_t>{12'000, middle, 10'000}));
  }
  EXPECT_EQ(made->matrix, *expected->inverse_root());
}

TEST(NaturalSweep, IsTheIdentityWithFewerRoundsThanCandidates) {
  ScriptedTimes times{{{64, {5}}, {128, {4}}, {256, {3}}}};
  const auto made = sweep(times, {.rounds = 2, .probes = 0});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->matrix, identity_matrix(3));
  EXPECT_EQ(made->selected.workgroup[0], 256U);
}

TEST(NaturalSweep, TheMatrixOfADeviceIsThatOfTheReference) {
  ScriptedTimes here{{{64, {120, 130, 125}}, {128, {80, 85, 90}}, {256, {100, 101, 99}}}};
  ScriptedTimes there = here;
  const auto device = testing::opened("opencl");
  const auto made = natural_sweep(*device, three, there.timer(), {.temperature = 40});
  const auto expected = sweep(here, {.temperature = 40});
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_TRUE(expected) << expected.error().message;
  EXPECT_EQ(there.timed, here.timed);
  EXPECT_EQ(made->weights, expected->weights);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(made->matrix[i], expected->matrix[i], 65'536 * 1e-3) << i;
  }
}

TEST(NaturalSweep, CandidatesOfOneSizeAreToldApartByTheirTimes) {
  const std::vector<Extent> shapes = {{64, 1, 1}, {8, 8, 1}, {16, 4, 1}};
  ScriptedTimes times{{{64, {50}}, {8, {20, 22, 21}}, {16, {40}}}};
  const auto made = sweep(times, {.temperature = 5}, shapes);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->fastest.workgroup, shapes[1]);
}

TEST(NaturalSweep, OneCandidateIsSelected) {
  ScriptedTimes times{{{64, {50}}}};
  const auto made = sweep(times, {}, {three.data(), 1});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->selected, (Timed{{64, 1, 1}, 50}));
  EXPECT_EQ(made->weights, std::vector<std::int32_t>{65'536});
}

TEST(NaturalSweep, AFailureOfTheTimerEndsItAndSaysOfWhichCandidate) {
  ScriptedTimes times{{{64, {50}}, {256, {10}}}};
  const auto made = sweep(times, {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error(), (PolicyError{{ErrorKind::device, "the device is gone"},
                                       PolicyFault::failed,
                                       Extent{128, 1, 1}}));
  EXPECT_EQ(times.timed, (std::vector<std::uint32_t>{64, 128}));
}

TEST(NaturalSweep, RefusesBeforeItTimesAnything) {
  ScriptedTimes times{{{64, {50}}, {128, {50}}, {256, {10}}}};
  EXPECT_EQ(sweep(times, {}, {}).error().fault, PolicyFault::no_measurements);
  EXPECT_EQ(sweep(times, {.temperature = 0}).error().fault, PolicyFault::zero_temperature);
  EXPECT_EQ(sweep(times, {.matrix = identity_matrix(2)}).error().fault, PolicyFault::wrong_matrix);
  EXPECT_TRUE(times.timed.empty());
}

}  // namespace
}  // namespace vyre::tune
