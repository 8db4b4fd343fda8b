// While loops: who goes on, who leaves, and what ends one that does not end.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/launch.h"

namespace vyre::interpret {
namespace {

using testing::after;
using testing::Launch;
using Counts = std::vector<std::uint32_t>;

TEST(While, RunsAsOftenAsEachInvocationFindsItsConditionTrue) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[5] write  grid 5\n"
                                 "var k = 0\n"
                                 "while k * k < invocation.x { k = k + 1 }\n"
                                 "out[invocation.x] = k }",
                                 "out"),
            (Counts{0, 1, 2, 2, 2}));
}

TEST(While, IsLeftByABreakWithWhatWasAssignedUntilThen) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[5] write  grid 5\n"
                                 "var k = 0\n"
                                 "while true {\n"
                                 "  k = k + 10\n"
                                 "  if invocation.x < 2 { k = k + 1  break } else { k = k + 100 }\n"
                                 "  if k > 300 { region \"r\" { break } }\n"
                                 "  if k > 200 { if invocation.x == 3 { break } }\n"
                                 "  k = k + 1000 * u32(invocation.x == 4)\n"
                                 "}\n"
                                 "out[invocation.x] = k }",
                                 "out"),
            (Counts{11, 11, 330, 220, 1220}));
}

TEST(While, LeavesOnlyTheNearestOne) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[3] write  grid 3\n"
                                 "var sum = 0  var k = 0\n"
                                 "while k < 3 {\n"
                                 "  var j = 0\n"
                                 "  while true { if j == invocation.x { break }  j = j + 1 }\n"
                                 "  sum = sum + j + 1\n"
                                 "  k = k + 1\n"
                                 "}\n"
                                 "out[invocation.x] = sum }",
                                 "out"),
            (Counts{3, 6, 9}));
}

TEST(While, ReachesNothingBehindABreak) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[8] read_write  grid 8  workgroup 4\n"
                                 "while true {\n"
                                 "  if invocation.x < 2 { break } else { break }\n"
                                 "  barrier\n"
                                 "  out[99] = 1\n"
                                 "}\n"
                                 "out[invocation.x] = 7 }",
                                 "out"),
            (Counts(8, 7)));
}

TEST(While, MayHaveABarrierWhereAllGoOnTogether) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[4] write  shared s: u32[4]\n"
                                 "grid 4  workgroup 4\n"
                                 "s[local.x] = local.x\n"
                                 "var k = 0\n"
                                 "while k < 3 {\n"
                                 "  barrier\n"
                                 "  let next = s[(local.x + 1) % 4]\n"
                                 "  barrier\n"
                                 "  s[local.x] = next\n"
                                 "  k = k + 1\n"
                                 "}\n"
                                 "out[local.x] = s[local.x] }",
                                 "out"),
            (Counts{3, 0, 1, 2}));
}

TEST(While, WithABarrierIsAnErrorWhereSomeHaveLeft) {
  Launch launch(
      "program p { buffer out: u32[4] write  grid 4  workgroup 4\n"
      "var k = 0\n"
      "while true {\n"
      "  if k == local.x { break }\n"
      "  barrier\n"
      "  k = k + 1\n"
      "} }");
  EXPECT_EQ(to_string(launch.error()),
            "5:3: `barrier`: only 3 of the group's 4 invocations reach the barrier together: "
            "invocation (1, 0, 0) waits, invocation (0, 0, 0) does not; move the barrier to where "
            "all pass");
}

TEST(While, ThatDoesNotEndIsStoppedAtTheLimitOfSteps) {
  Launch launch("program p { grid 4\nwhile invocation.x == 2 { } }");
  const Error error = launch.error({.step_limit = 1000});
  EXPECT_EQ(error.kind, ErrorKind::timeout);
  EXPECT_EQ(to_string(error),
            "2:1: `while invocation.x == 2 { ... }`: the limit of 1000 steps is reached in "
            "invocation (2, 0, 0); look for a loop that does not end, or raise the limit");
}

}  // namespace
}  // namespace vyre::interpret
