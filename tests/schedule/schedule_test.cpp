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

Schedule schedule(std::string_view text) { return parse_schedule(text).value(); }

TEST(Schedule, ByDefaultLeavesAProgramAsItIs) {
  const ir::Program program = parsed(plane);
  EXPECT_EQ(apply(program, default_schedule(program)).value(), program);
}

TEST(Schedule, TakesStepsOneAfterTheOther) {
  const auto made = apply(parsed(plane), schedule("wg_x=8 wg_y=8 items_x=2 items_y=3"));
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
  const auto made = apply(program, schedule("items_y=2"));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message,
            "cannot give each invocation 2 items in y: in `barrier`, all of a workgroup wait here");
}

TEST(Schedule, AsTextReadsBackAsItself) {
  const std::string all =
      "wg_x=8 wg_y=4 wg_z=2 unroll=7 vector=4 items_x=1 items_y=6 items_z=3 order=strided tile=9 "
      "gather=1 contract=1 loop_vector=8 loop_parts=2 inside=1 private=group "
      "private_groups=4 interchange=16 tree=1 group_turns=3 halo=1 fission=1 "
      "contract_2=1 "
      "loop_vector_2=4 loop_parts_2=3 inside_2=1 interchange_2=8 unroll_2=2 vector_2=8 "
      "items_x_2=3 items_y_2=2 items_z_2=4 order_2=jammed sum_groups=4 phases=2 nontemporal=1 "
      "sweep_groups=8 registers=1 no_nans=1 scatter_groups=2";
  EXPECT_EQ(to_string(schedule(all)), all);
  EXPECT_EQ(schedule(""), Schedule{});
  EXPECT_EQ(schedule(" unroll=2  wg_x=8 "), schedule("wg_x=8 unroll=2"));
  EXPECT_EQ(schedule(" items_y=6 ")["items_y"], 6U);
  EXPECT_EQ(schedule("order=jammed")["order"], 2U);
  EXPECT_EQ(parse_schedule("unroll=2", schedule("wg_x=8 wg_y=8")).value(),
            schedule("wg_x=8 wg_y=8 unroll=2"));
}

TEST(Schedule, HasAValueForEachParameterThatAStepHas) {
  const Schedule initial;
  for (const Parameter& parameter : parameters()) {
    EXPECT_EQ(initial[parameter.name], parameter.initial) << parameter.name;
    EXPECT_FALSE(parameter.meaning.empty()) << parameter.name;
  }
  EXPECT_EQ(initial, schedule("wg_x=64 wg_y=1 wg_z=1 order=contiguous tile=0 gather=0"));
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
