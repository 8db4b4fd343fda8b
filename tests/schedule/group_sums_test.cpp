#include "schedule/group_sums.h"

#include <gtest/gtest.h>

#include "schedule/schedule_space.h"
#include "support/programs.h"
#include "vyre/ir/text.h"
#include "vyre/schedule/schedule.h"
#include "vyre/space/enumerate.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

TEST(GroupSums, AddUpByATreeAndAddOnce) {
  const auto made = with_group_sums(parsed(R"(program total {
    uniform n: u32 = 1000
    buffer x: u32[n] read
    buffer sum: u32[1] read_write
    grid n
    if x[invocation.x] < grid.x { atomic sum[0] += x[invocation.x] }
    atomic sum[0] += 1
  })"),
                                    {6, 1, 1});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program total {
    uniform n: u32 = 1000
    buffer x: u32[n] read
    buffer sum: u32[1] read_write
    shared group_sum: u32[6]
    grid (n + 5) / 6 * 6
    workgroup 6
    var sum_2 = 0
    if invocation.x < n {
      if x[invocation.x] < n { sum_2 = sum_2 + x[invocation.x] }
      sum_2 = sum_2 + 1
    }
    let number = local.x
    group_sum[number] = sum_2
    barrier
    if number < 3 { group_sum[number] = group_sum[number] + group_sum[number + 3] }
    barrier
    if number < 1 { group_sum[number] = group_sum[number] + group_sum[number + 2] }
    barrier
    if number < 1 { group_sum[number] = group_sum[number] + group_sum[number + 1] }
    if number == 0 {
      let total = group_sum[0]
      if total != 0 { atomic sum[0] += total }
    }
  })")));
}

TEST(GroupSums, GoToTheElementThatTheGridAsItWasNames) {
  const auto made =
      with_group_sums(parsed("program p { uniform n: u32 = 5 buffer sums: u32[9] read_write "
                             "grid n let last = grid.x - 1 atomic sums[last] += 1 }"),
                      {4, 1, 1});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_NE(print(*made).find("atomic sums[n - 1] += total"), std::string::npos) << print(*made);
}

TEST(GroupSums, TakeWhatVectorsAndItemsMade) {
  const ir::Program program = parsed(R"(program norms {
    buffer x: f32[4096] read
    buffer rows: f32[4] read_write
    grid 1024, 4
    reassociate
    let row = invocation.y
    let v = x[row * 1024 + invocation.x]
    atomic rows[row] += v * v
  })");
  const auto made = apply(
      program, parse_schedule("tree=1 vector=4 items_x=8 order=strided wg_x=2 wg_y=1").value());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program norms {
    buffer x: f32[4096] read
    buffer rows: f32[4] read_write
    shared group_rows: f32[2]
    grid 32, 4
    workgroup 2
    reassociate
    var sum = splat4(0.0)
    for round in 0 .. 8 {
      let item = round * 32 + invocation.x
      let first = item * 4
      let row = invocation.y
      let v = x[row * 1024 + first : 4]
      sum = sum + v * v
    }
    let number = local.x
    group_rows[number] = sum(sum)
    barrier
    if number < 1 { group_rows[number] = group_rows[number] + group_rows[number + 1] }
    if number == 0 {
      let total = group_rows[0]
      if total != 0.0 { atomic rows[invocation.y] += total }
    }
  })")));
}

std::string why_not(const std::string& statements, Extent workgroup = {8, 1, 1}) {
  const auto made = with_group_sums(
      parsed("program p { buffer x: u32[64] read buffer n: u32[8] read_write buffer m: u32[64] "
             "read_write grid 64 workgroup 8 " +
             statements + " }"),
      workgroup);
  return made ? "not refused" : made.error().message;
}

TEST(GroupSums, SayWhyTheyAreNotLegal) {
  const std::string start = "cannot add up in groups of 8 x 1 x 1: ";
  const std::string none =
      start +
      "atomics of a group go to none, or to more than 16, elements that all of "
      "it add to, in arrays that are accessed in no other way";
  EXPECT_EQ(why_not("m[invocation.x] = 1"), none);
  EXPECT_EQ(why_not("atomic n[invocation.x % 8] += 1"), none);
  EXPECT_EQ(why_not("atomic n[x[0]] += 1"), none);
  EXPECT_EQ(why_not("for i in 0 .. 8 { atomic n[i] += 1 }"), none);
  EXPECT_EQ(why_not("var i = 0 i = 2 atomic n[i] += 1"), none);
  EXPECT_EQ(why_not("atomic n[0] += 1 if n[1] > 0 { m[0] = 1 }"), none);
  EXPECT_EQ(why_not("atomic n[0] += 1 barrier"),
            start + "in `barrier`, all of a workgroup wait here");
  EXPECT_EQ(why_not("atomic n[0] += 1", {1, 1, 1}),
            "cannot add up in groups of 1 x 1 x 1: there are at least two invocations to add up");
}

TEST(GroupSums, OfASpaceAreLegalThroughout) {
  const ir::Program program = parsed(R"(program rows {
    buffer x: f32[65536] read
    buffer rows: f32[64] read_write
    grid 1024, 64
    reassociate
    atomic rows[invocation.y] += x[invocation.y * 1024 + invocation.x]
  })");
  const auto space = space::enumerate(schedule_space(program, {}).value()).value().space;
  std::uint32_t trees = 0;
  for (space::Index i = 0; i < space.size(); ++i) {
    const Schedule schedule = schedule_of(program, space, i);
    if (schedule["tree"] == 0) continue;
    ++trees;
    ASSERT_EQ(schedule["wg_y"], 1U) << "a group adds to one row";
    if (i % 7 != 0) continue;
    const auto made = apply(program, schedule);
    ASSERT_TRUE(made) << to_string(schedule) << ": " << made.error().message;
  }
  EXPECT_GT(trees, 100U);
}

}  // namespace
}  // namespace vyre::schedule
