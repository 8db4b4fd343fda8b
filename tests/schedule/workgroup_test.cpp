#include "schedule/workgroup.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

constexpr std::string_view shift = R"(program shift {
  uniform n: u32 = 100
  buffer x: f32[n] read
  buffer y: f32[n] write
  grid n
  workgroup 64
  y[invocation.x] = x[n - 1 - invocation.x]
})";

std::string workgroup_refusal(std::string_view text) {
  const auto made = with_workgroup(parsed(text), {8, 2, 1});
  return made ? "not refused" : made.error().message;
}

TEST(WorkgroupStep, ChangesTheWorkgroupAndNothingElse) {
  ir::Program expected = parsed(shift);
  expected.workgroup = {8, 4, 2};
  EXPECT_EQ(with_workgroup(parsed(shift), {8, 4, 2}).value(), expected);
}

TEST(WorkgroupStep, KeepsAProgramThatHasThatWorkgroupWhateverItDoes) {
  const ir::Program program = parsed("program p { grid 64 workgroup 64 barrier }");
  EXPECT_EQ(with_workgroup(program, {64, 1, 1}).value(), program);
}

TEST(WorkgroupStep, RefusesWhatDependsOnTheGroupAndNamesTheStatement) {
  EXPECT_EQ(workgroup_refusal("program p { grid 64 workgroup 64 barrier }"),
            "cannot set the workgroup to 8 x 2 x 1: in `barrier`, all of a workgroup wait here");
  EXPECT_EQ(
      workgroup_refusal("program p { buffer y: u32[64] write grid 64 y[invocation.x] = local.x }"),
      "cannot set the workgroup to 8 x 2 x 1: in `y[invocation.x] = local.x`, it reads "
      "local.x");
  EXPECT_EQ(workgroup_refusal("program p { shared t: u32[64] grid 64 let i = invocation.x }"),
            "cannot set the workgroup to 8 x 2 x 1: 't' is shared by a workgroup");
  EXPECT_EQ(workgroup_refusal("program p { grid 64 * workgroup.x let i = invocation.x }"),
            "cannot set the workgroup to 8 x 2 x 1: the grid 64 * workgroup.x depends on the "
            "workgroup");
  EXPECT_EQ(workgroup_refusal("program p { buffer y: u32[workgroup.x] write grid 1 y[0] = 1 }"),
            "cannot set the workgroup to 8 x 2 x 1: the size workgroup.x of 'y' depends on the "
            "workgroup");
}

TEST(WorkgroupStep, TakesWhatTheProgramListsWhateverItDoesAndNothingElse) {
  const ir::Program program = parsed("program p { grid 64 workgroup 64 or 32 or 8, 4 barrier }");
  const auto made = with_workgroup(program, {32, 1, 1});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(*made, parsed("program p { grid 64 workgroup 32 or 64 or 8, 4 barrier }"));
  EXPECT_EQ(with_workgroup(*made, {64, 1, 1}).value(), program);
  EXPECT_FALSE(with_workgroup(program, {16, 1, 1}));
}

TEST(WorkgroupStep, RefusesAnEmptyWorkgroup) {
  const auto made = with_workgroup(parsed(shift), {8, 0, 1});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message,
            "cannot set the workgroup to 8 x 0 x 1: a workgroup has 1 to 2^31 invocations, not 8 x "
            "0 x 1");
}

}  // namespace
}  // namespace vyre::schedule
