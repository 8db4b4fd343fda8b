#include "vyre/schedule/schedule.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

constexpr std::string_view plane = R"(program plane {
  uniform w: u32 = 20
  uniform h: u32 = 30
  buffer y: u32[w * h] write
  grid w, h
  workgroup 4, 2
  y[invocation.y * w + invocation.x] = 1
})";

TEST(Schedule, ByDefaultLeavesAProgramAsItIs) {
  const ir::Program program = parsed(plane);
  EXPECT_EQ(apply(program, default_schedule(program)).value(), program);
}

TEST(Schedule, TakesStepsOneAfterTheOther) {
  const auto made = apply(parsed(plane), {.workgroup = {8, 8, 1}, .items = {2, 3, 1}});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program plane {
    uniform w: u32 = 20
    uniform h: u32 = 30
    buffer y: u32[w * h] write
    grid (w + 1) / 2, (h + 2) / 3
    workgroup 8, 8
    let first_2 = invocation.y * 3
    for item_2 in first_2 .. min(first_2 + 3, h) {
      let first = invocation.x * 2
      for item in first .. min(first + 2, w) {
        y[item_2 * w + item] = 1
      }
    }
  })")));
}

TEST(Schedule, ThatIsNotLegalSaysWhichStepIsNot) {
  const ir::Program program = parsed("program p { grid 64 workgroup 64 barrier }");
  const auto made = apply(program, {.items = {1, 2, 1}});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message,
            "cannot give each invocation 2 items in y: in `barrier`, all of a workgroup wait here");
}

TEST(Schedule, AsTextReadsBackAsItself) {
  const Schedule schedule = {.workgroup = {8, 4, 2},
                             .items = {1, 6, 3},
                             .order = Order::strided,
                             .unroll = 7,
                             .vector = 4,
                             .tile = 9,
                             .gather = 1};
  EXPECT_EQ(parse_schedule(to_string(schedule)).value(), schedule);
  EXPECT_EQ(parse_schedule("").value(), Schedule{});
  EXPECT_EQ(parse_schedule(" items_y=6 ").value(), (Schedule{.items = {1, 6, 1}}));
  EXPECT_EQ(parse_schedule("unroll=2", {.workgroup = {8, 8, 1}}).value(),
            (Schedule{.workgroup = {8, 8, 1}, .unroll = 2}));
}

TEST(Schedule, TextThatIsNoneIsRefusedWithTheReason) {
  EXPECT_EQ(parse_schedule("wg_q=1").error().message, "a schedule has no parameter 'wg_q'");
  EXPECT_EQ(parse_schedule("wg_x=1x").error().message, "wg_x is '1x', not a number");
  EXPECT_EQ(parse_schedule("wg_x").error().message, "'wg_x' is not of the form name=value");
  EXPECT_NE(parse_schedule("order=up").error().message.find("contiguous, strided"),
            std::string::npos);
}

}  // namespace
}  // namespace vyre::schedule
