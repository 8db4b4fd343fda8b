#include "device/launch_shape.h"

#include <gtest/gtest.h>

#include <limits>

namespace vyre::device {
namespace {

constexpr Limits limits = {.max_workgroup = 256, .max_workgroup_dims = {256, 128, 4}};

std::string refusal(const Shape& shape, ErrorKind kind = ErrorKind::input) {
  const auto legal = check_shape(shape, limits);
  if (legal) return "legal";
  EXPECT_EQ(legal.error().kind, kind);
  return legal.error().message;
}

TEST(LaunchShape, IsLegalUpToTheLimits) {
  EXPECT_EQ(refusal({.grid = {1000, 3, 9}, .groups = {16, 2, 5}, .workgroup = {64, 2, 2}}),
            "legal");
  EXPECT_EQ(refusal({.grid = {1, 1, 1}, .groups = {1, 1, 1}, .workgroup = {256, 1, 1}}), "legal");
}

TEST(LaunchShape, IsRefusedWhereOneDimensionIsTooLarge) {
  EXPECT_EQ(
      refusal({.grid = {8, 8, 8}, .groups = {8, 8, 1}, .workgroup = {1, 1, 8}}, ErrorKind::limit),
      "the workgroup 1 x 1 x 8 has 8 invocations in z; the device allows 4");
}

TEST(LaunchShape, IsRefusedWhereTheWholeWorkgroupIsTooLarge) {
  EXPECT_EQ(refusal({.grid = {64, 64, 1}, .groups = {2, 2, 1}, .workgroup = {32, 32, 1}},
                    ErrorKind::limit),
            "the workgroup 32 x 32 x 1 has 1024 invocations; the device allows 256");
}

TEST(LaunchShape, IsRefusedWhereNothingWouldRun) {
  EXPECT_EQ(refusal({.grid = {0, 1, 1}, .groups = {0, 1, 1}, .workgroup = {64, 1, 1}}),
            "nothing to launch: the grid is 0 x 1 x 1 and the workgroup 64 x 1 x 1");
  EXPECT_EQ(refusal({.grid = {8, 1, 1}, .groups = {1, 1, 1}, .workgroup = {8, 0, 1}}),
            "nothing to launch: the grid is 8 x 1 x 1 and the workgroup 8 x 0 x 1");
}

TEST(LaunchShape, IsRefusedWhereTheGroupsDoNotCoverTheGrid) {
  EXPECT_EQ(refusal({.grid = {1000, 1, 1}, .groups = {15, 1, 1}, .workgroup = {64, 1, 1}}),
            "15 groups of 64 do not fit a grid of 1000 in x: it takes 16");
}

TEST(LaunchShape, CountsInvocationsWithoutOverflow) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  EXPECT_EQ(volume({most, most, 1}), std::uint64_t{most} * most);
  EXPECT_EQ(volume({most, most, most}), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(volume({most, 0, most}), 0U);
}

}  // namespace
}  // namespace vyre::device
