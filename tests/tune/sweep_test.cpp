#include "tune/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/programs.h"
#include "tune/kfac_family.h"

namespace vyre::tune {
namespace {

// Gives these times and remembers what was requested of it; no time for a size is a failure.
struct Recorded {
  std::map<std::uint32_t, std::uint64_t> times;
  std::vector<std::uint32_t> requested = {};

  Timer timer() {
    return [this](const Extent& workgroup) -> Result<std::uint64_t> {
      requested.push_back(workgroup[0]);
      if (!times.contains(workgroup[0])) return fail(ErrorKind::device, "the device is gone");
      return times[workgroup[0]];
    };
  }
};

TEST(Sweep, CandidatesArePowersOfTwoWithinTheLimit) {
  const auto sizes = [](std::uint64_t limit) {
    std::vector<std::uint32_t> all;
    for (const Extent& e : candidates_1d(limit)) {
      all.push_back(e[0]);
      EXPECT_EQ(e[1], 1U);
      EXPECT_EQ(e[2], 1U);
    }
    return all;
  };
  EXPECT_EQ(sizes(4096), (std::vector<std::uint32_t>{32, 64, 128, 256, 512, 1024}));
  EXPECT_EQ(sizes(256), (std::vector<std::uint32_t>{32, 64, 128, 256}));
  EXPECT_EQ(sizes(100), (std::vector<std::uint32_t>{32, 64}));
  EXPECT_EQ(sizes(31), (std::vector<std::uint32_t>{}));
}

TEST(Sweep, MeasuresInOrderAndTakesTheFastest) {
  Recorded recorded{{{32, 50}, {64, 30}, {128, 40}}};
  const auto best = best_of(candidates_1d(128), recorded.timer());
  ASSERT_TRUE(best && *best);
  EXPECT_EQ(**best, (Timed{{64, 1, 1}, 30}));
  EXPECT_EQ(recorded.requested, (std::vector<std::uint32_t>{32, 64, 128}));
}

TEST(Sweep, TiesGoToTheFirst) {
  Recorded recorded{{{32, 30}, {64, 20}, {128, 20}}};
  EXPECT_EQ((*best_of(candidates_1d(128), recorded.timer()))->workgroup[0], 64U);
}

TEST(Sweep, TheFirstFailureOfTheTimerStopsItAndIsTheResult) {
  Recorded recorded{{{32, 30}, {128, 20}}};
  const auto best = best_of(candidates_1d(128), recorded.timer());
  ASSERT_FALSE(best);
  EXPECT_EQ(best.error().message, "the device is gone");
  EXPECT_EQ(recorded.requested, (std::vector<std::uint32_t>{32, 64}));
}

TEST(Sweep, AFamilyIsSweptOverTheCandidatesAndItsBaseline) {
  constexpr device::Limits limits{
      .max_workgroup = 128, .max_workgroup_dims = {128, 128, 64}, .shared_bytes = 32'768};
  const auto workgroups = [&](const std::string& own) {
    const auto family = family_of(
        testing::parsed("program p {\n  buffer y: u32[4096] write\n  grid 4096\n  workgroup " +
                        own + "\n  y[invocation.x] = 1\n}\n"),
        {}, limits);
    std::vector<std::uint32_t> sizes;
    for (const space::Index member : swept_members(*family, limits.max_workgroup)) {
      sizes.push_back((*family->members->workgroup(member))[0]);
    }
    return sizes;
  };
  EXPECT_EQ(workgroups("64"), (std::vector<std::uint32_t>{32, 64, 128}));
  EXPECT_EQ(workgroups("16"), (std::vector<std::uint32_t>{16, 32, 64, 128}));
}

TEST(Sweep, AFamilyWithoutWorkgroupsIsSweptAsAWhole) {
  const auto family = kfac_family({.num_blocks = 32, .n = 4});
  ASSERT_TRUE(family);
  const auto members = swept_members(*family, 1024);
  ASSERT_EQ(members.size(), family->space.size());
  EXPECT_TRUE(std::ranges::is_sorted(members));
}

TEST(Sweep, NoCandidatesGiveNoResult) {
  Recorded recorded;
  const auto best = best_of(std::span<const Extent>(), recorded.timer());
  ASSERT_TRUE(best);
  EXPECT_FALSE(*best);
}

}  // namespace
}  // namespace vyre::tune
