#include "schedule/promising.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "schedule/schedule_space.h"
#include "support/programs.h"
#include "vyre/space/enumerate.h"

namespace vyre::schedule {
namespace {

const ir::Program& program() {
  static const ir::Program made = testing::parsed(R"(program p {
    buffer x: f32[4096] read
    buffer y: f32[4096] write
    grid 64, 64
    y[invocation.y * 64 + invocation.x] = 2.0 * x[invocation.y * 64 + invocation.x]
  })");
  return made;
}

const space::Space& space_of_program() {
  static const space::Space made =
      space::enumerate(schedule_space(program()).value()).value().space;
  return made;
}

space::Index baseline() {
  return index_of(space_of_program(), default_schedule(program())).value();
}

// At this distance from features of zero.
Example example(double far, std::string_view configuration) {
  Example made;
  made.features.values[0] = far;
  const std::string line = "2 p | " + to_string(made.features) + " | ";
  return parse_examples(line + std::string(configuration)).value().front();
}

std::string adapted_text(std::string_view configuration) {
  const space::Index member = adapted(space_of_program(), baseline(), features(program()).value(),
                                      example(0, configuration));
  return to_string(schedule_of(program(), space_of_program(), member));
}

std::string text_of(std::string_view schedule) {
  return to_string(parse_schedule(schedule, default_schedule(program())).value());
}

TEST(Promising, AnExampleOfASpaceWithTheSameValuesIsTakenAsItIs) {
  EXPECT_EQ(adapted_text("wg_x=2 wg_y=8 vector=8 items_y=2 order=jammed"),
            text_of("wg_x=2 wg_y=8 vector=8 items_y=2 order=jammed"));
}

TEST(Promising, WhatAnExampleDoesNotHaveIsAsInTheBaseline) {
  EXPECT_EQ(adapted_text("wg_y=4"), text_of("wg_y=4"));
}

TEST(Promising, ExamplesThatKnowNothingOfAStepAreTriedWithWhatItFavours) {
  const ir::Uniforms large = {{"n", {Scalar::u32, 1U << 23U}}};
  const ir::Program copy = testing::parsed(
      "program p { uniform n: u32 = 8 buffer x: f32[n] read buffer y: f32[n] write grid n "
      "y[invocation.x] = x[invocation.x] }");
  const auto space = space::enumerate(schedule_space(copy, {}, large).value()).value().space;
  const space::Index start = index_of(space, default_schedule(copy)).value();
  const std::array examples = {example(1, "vector=4"), example(2, "vector=1 wg_x=8"),
                               example(3, "vector=8 nontemporal=0")};
  std::vector<std::uint32_t> favoured;
  for (const space::Index index : promising(space, start, {}, examples, 9)) {
    favoured.push_back(schedule_of(copy, space, index)["nontemporal"]);
  }
  EXPECT_EQ(favoured, (std::vector<std::uint32_t>{1, 0, 0}));
}

TEST(Promising, ParametersThatTheSpaceDoesNotHaveAreLeftOut) {
  EXPECT_EQ(adapted_text("wg_y=4 gather=1 tile=16 layout=packed"), text_of("wg_y=4"));
}

TEST(Promising, ValuesThatTheSpaceDoesNotHaveGoToTheNearest) {
  EXPECT_EQ(adapted_text("wg_x=1 wg_y=3000 items_x=7"), text_of("wg_x=1 wg_y=64 items_x=8"));
}

TEST(Promising, ValuesThatAreNotValidTogetherGiveWayWorkgroupsFirst) {
  EXPECT_EQ(adapted_text("wg_x=64 wg_y=1 vector=16"), text_of("wg_x=4 vector=16"));
}

// What is made of vectors of 16 where a row has this many items.
std::uint32_t lanes_for_row_of(std::uint32_t items) {
  const ir::Uniforms sizes = {{"w", {Scalar::u32, items}}};
  const ir::Program rows = testing::parsed(
      "program p { uniform w: u32 = 8 buffer x: f32[w * 64] read buffer y: f32[w * 64] write "
      "grid w, 64 y[invocation.y * w + invocation.x] = x[invocation.y * w + invocation.x] }");
  const auto space = space::enumerate(schedule_space(rows, {}, sizes).value()).value().space;
  const space::Index start = index_of(space, default_schedule(rows)).value();
  const auto known = features(rows, sizes).value();
  const space::Index member = adapted(space, start, known, example(0, "wg_x=1 vector=16"));
  return schedule_of(rows, space, member)["vector"];
}

TEST(Promising, VectorsAreNarrowerWhereMuchOfARowWouldBeLeftToBeDoneOneByOne) {
  EXPECT_EQ(lanes_for_row_of(64), 16U);
  EXPECT_EQ(lanes_for_row_of(56), 8U);    // 3 and 8 single items, or 7
  EXPECT_EQ(lanes_for_row_of(28), 4U);    // 1 and 12, or 3 and 4, or 7
  EXPECT_EQ(lanes_for_row_of(300), 16U);  // 18 and 12, or 37 and 4
}

TEST(Promising, TheNearestExamplesComeFirstEachOnceAndNeverTheBaseline) {
  const std::vector<Example> examples = {
      example(9, "wg_x=2"), example(1, "wg_x=8"), example(2, "wg_x=64"),
      example(3, "wg_x=8"), example(4, "wg_x=4"), example(5, "wg_x=16"),
  };
  std::vector<std::string> found;
  for (const space::Index index : promising(space_of_program(), baseline(), {}, examples, 3)) {
    found.push_back(to_string(schedule_of(program(), space_of_program(), index)));
  }
  EXPECT_EQ(found, (std::vector{text_of("wg_x=8"), text_of("wg_x=4"), text_of("wg_x=16")}));
  EXPECT_TRUE(promising(space_of_program(), baseline(), {}, {}).empty());
}

TEST(Promising, WhatAStepGuessesComesBeforeExamplesWhereTheSpaceHasTheStep) {
  const ir::Program counts = testing::parsed(R"(program p {
    buffer x: u32[65536] read
    buffer n: u32[64] read_write
    grid 65536
    atomic n[x[invocation.x] % 64] += 1
  })");
  const space::Space space = space::enumerate(schedule_space(counts).value()).value().space;
  const auto own = index_of(space, default_schedule(counts)).value();
  std::vector<Schedule> found;
  for (const space::Index index : promising(space, own, {}, std::vector{example(1, "wg_x=8")})) {
    found.push_back(schedule_of(counts, space, index));
  }
  EXPECT_EQ(found, (std::vector{
                       parse_schedule("wg_x=1 private=invocation").value(),
                       parse_schedule("wg_x=256 private=group private_groups=256").value(),
                       parse_schedule("wg_x=8").value(),
                   }));
}

TEST(Promising, NeighboursThatAreWrappedBeginWithRowsThatShareWhatAWrittenOutLoopLoads) {
  const ir::Program wrapped = testing::parsed(R"(program p {
    uniform n: u32 = 256
    buffer x: f32[n * n] read
    buffer y: f32[n * n] write
    grid n, n
    var sum = 0.0
    for j in 0 .. 3 {
      for i in 0 .. 3 {
        let at = (invocation.y + n + j - 1) % n * n
        sum += x[at + (invocation.x + n + i - 1) % n]
      }
    }
    y[invocation.y * n + invocation.x] = sum
  })");
  const space::Space space = space::enumerate(schedule_space(wrapped).value()).value().space;
  const auto own = index_of(space, default_schedule(wrapped)).value();
  const auto found = promising(space, own, features(wrapped).value(), {});
  ASSERT_EQ(found.size(), 2U);
  const Schedule first = schedule_of(wrapped, space, found.front());
  for (const auto& [name, value] : {std::pair{"inside", 1U}, {"unroll", 8U}, {"items_y", 4U}}) {
    EXPECT_EQ(first[name], value) << name;
  }
}

}  // namespace
}  // namespace vyre::schedule
