#include "schedule/split_sums.h"

#include <gtest/gtest.h>

#include "schedule/cases.h"
#include "schedule/explain.h"
#include "schedule/schedule_space.h"
#include "support/programs.h"
#include "vyre/ir/text.h"
#include "vyre/schedule/schedule.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

constexpr auto norm = R"(program norm {
  uniform n: u32 = 1003
  buffer x: f32[n] read
  buffer out: f32[1] write
  grid 1
  reassociate
  var s = 0.0
  for i in 0 .. n { s = s + x[i] * x[i] }
  out[0] = sqrt(s)
})";

std::string why_not_split(std::string_view text) {
  const auto made = scheduled_as(parsed(text), "sum_groups=4");
  return made ? "it is legal" : made.error().message;
}

TEST(SplitSums, AccumulatesPartsAndThenPutsThemTogether) {
  const auto made = scheduled_as(parsed(norm), "sum_groups=4 wg_x=1");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(ir::print(*made), R"(program norm {
  uniform n: u32 = 1003
  buffer x: f32[n] read
  buffer out: f32[1] write
  scratch partial: f32[4]
  grid 4
  workgroup 1
  reassociate

  let i_end = n
  let i_share = i_end / 4
  let i_first = invocation.x * i_share
  var s_part = 0.0
  for i in 0 .. i_share {
    s_part = s_part + x[i_first + i] * x[i_first + i]
  }
  partial[invocation.x] = s_part

  then grid 1 workgroup 1 {
    var s = 0.0
    let i_end_2 = n
    let i_share_2 = i_end_2 / 4
    for i_part in 0 .. 4 {
      s = s + partial[i_part]
    }
    for i in i_share_2 * 4 .. i_end_2 {
      s = s + x[i] * x[i]
    }
    out[0] = sqrt(s)
  }
}
)");
}

// Rows, with more than one sum, a maximum that starts somewhere, and a loop that needs the others.
constexpr auto rows = R"(program rows {
  uniform n: u32 = 77
  uniform m: u32 = 3
  buffer x: i32[m * n] read_write
  buffer out: i32[m] write
  grid m
  let row = invocation.x * n
  var s = 5i
  var most = -100i
  for i in 0 .. n {
    s = s + x[row + i]
    most = max(most, x[row + i])
  }
  var odd = 0i
  for j in 3i .. i32(n) { odd = odd + (x[row + u32(j)] & 1i) * i32(invocation.y + grid.y) }
  out[invocation.x] = s + most
  var above = 0i
  for k in 0 .. n { if x[row + k] + odd > most { above = above + 1i } }
  for k in 0 .. n { x[row + k] = x[row + k] - above }
})";

TEST(SplitSums, ComputesTheSameWithOtherSteps) {
  const ir::Program program = parsed(rows);
  for (const std::string_view text :
       {"sum_groups=2", "sum_groups=7", "sum_groups=100", "sum_groups=3 unroll=3",
        "sum_groups=2 loop_vector=4 loop_parts=2 wg_x=2", "sum_groups=2 items_x=2 order=jammed",
        "sum_groups=4 wg_y=2 items_y=2"}) {
    const auto made = scheduled_as(program, text);
    ASSERT_TRUE(made) << text << ": " << made.error().message;
    ASSERT_EQ(made->then.size(), 1U);
    EXPECT_EQ(parsed(ir::print(*made)), *made);
    EXPECT_EQ(left_by_interpreter(*made), left_by_interpreter(program)) << text << "\n"
                                                                        << print(*made);
  }
}

TEST(SplitSums, LeavesOutWhatOnlyTheSecondStageNeeds) {
  const auto made = sum_stages(parsed(rows), 4);
  ASSERT_TRUE(made) << made.error().message;
  const std::string first = ir::print(made->parts);
  EXPECT_EQ(first.find("above"), std::string::npos) << first;
  EXPECT_EQ(first.find("out["), std::string::npos) << first;
  EXPECT_NE(first.find("grid m, 4"), std::string::npos) << first;
}

TEST(SplitSums, SaysWhyItIsRefused) {
  EXPECT_EQ(why_not_split("program p { buffer y: u32[4] write grid 4 y[invocation.x] = 1 }"),
            "cannot split sums over workgroups: there is no loop in its outermost block");
  EXPECT_EQ(why_not_split("program p { buffer y: f32[4] read_write grid 4 var s = 0.0 "
                          "for i in 0 .. 9 { s = s + 1.0 } y[invocation.x] = s }"),
            "cannot split sums over workgroups: 's' is a sum of floats, and the program does not "
            "say that order does not matter (`reassociate`)");
  EXPECT_EQ(why_not_split("program p { buffer y: u32[4] read_write grid 1 "
                          "for i in 0 .. 4 { y[i] = 1 } }"),
            "cannot split sums over workgroups: the loop over 'i' writes to memory");
  EXPECT_EQ(why_not_split("program p { buffer y: u32[8] read_write grid 1 y[0] = 7 var s = 0 "
                          "for i in 0 .. 8 { s = s + y[i] } y[1] = s }"),
            "cannot split sums over workgroups: the loop over 'i' needs 'y', which is written "
            "before it");
  EXPECT_EQ(why_not_split("program p { buffer y: u32[8] read_write grid 2, 2, 2 var s = 0 "
                          "for i in 0 .. 8 { s = s + i } y[0] = s }"),
            "cannot split sums over workgroups: its grid has no dimension with the extent 1");
  EXPECT_EQ(why_not_split("program p { buffer y: u32[8] write scratch s: u32[1] grid 1 y[0] = 1 }"),
            "cannot schedule it differently: the program has stages or scratch memory of its own");
}

TEST(SplitSums, IsOfferedWhereLoopsAreLongAndInvocationsFew) {
  const auto choices = [](const ir::Program& program, const ir::Uniforms& uniforms) {
    const auto space = schedule_space(program, {.compute_units = 2}, uniforms).value();
    for (const space::Parameter& parameter : space.parameters) {
      if (parameter.name == sum_groups_name) return parameter.values.size();
    }
    return std::size_t{1};
  };
  EXPECT_EQ(choices(parsed(norm), {}), 1U);
  EXPECT_EQ(choices(parsed(norm), {{"n", {Scalar::u32, 1024}}}), 3U);
  EXPECT_EQ(choices(parsed(norm), {{"n", {Scalar::u32, 1U << 20U}}}), 6U);
  EXPECT_EQ(choices(parsed(rows), {{"n", {Scalar::u32, 1U << 20U}}, {"m", {Scalar::u32, 32}}}), 3U);
  EXPECT_EQ(choices(parsed(rows), {{"n", {Scalar::u32, 1U << 20U}}, {"m", {Scalar::u32, 65}}}), 1U);
}

TEST(SplitSums, HasSpacesInWhichAllIsLegal) {
  for (const char* text : {norm, rows}) {
    expect_legal_stages(parsed(text), {{"n", {Scalar::u32, 1U << 16U}}}, sum_groups_name, 500, 100);
  }
}

TEST(SplitSums, LeavesProgramsWithStagesAsTheyAre) {
  const ir::Program program = parsed(R"(program p {
    buffer x: u32[64] read_write
    grid 64
    x[invocation.x] = 1
    then grid 1 { x[0] = 2 }
  })");
  const auto space = schedule_space(program).value();
  ASSERT_EQ(space.parameters.size(), 1U);
  EXPECT_EQ(space.parameters[0].values.size(), 1U);
  EXPECT_EQ(apply(program, default_schedule(program)).value(), program);
  const auto verdicts = explain(program, {}, {}).value();
  for (const StepVerdict& verdict : verdicts) {
    EXPECT_EQ(verdict.refused, "the program has stages or scratch memory of its own");
  }
}

}  // namespace
}  // namespace vyre::schedule
