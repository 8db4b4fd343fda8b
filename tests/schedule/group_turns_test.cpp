#include "schedule/group_turns.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/launch.h"
#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

constexpr std::string_view reversed = R"(program reversed {
  uniform groups_of_4: u32 = 5
  buffer y: u32[groups_of_4 * 4] write
  shared t: u32[4]
  grid groups_of_4 * 4
  workgroup 4
  t[local.x] = invocation.x * grid.x + groups.x
  barrier
  y[group.x * 4 + local.x] = t[3 - local.x]
})";

TEST(GroupTurns, LetOneGroupDoTheWorkOfSeveralWithABarrierBetween) {
  const auto made = with_group_turns(parsed(reversed), 2);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program reversed {
    uniform groups_of_4: u32 = 5
    buffer y: u32[groups_of_4 * 4] write
    shared t: u32[4]
    grid (groups_of_4 * 4 / workgroup.x + 1) / 2 * workgroup.x
    workgroup 4
    let groups_x = groups_of_4 * 4 / 4
    let first = group.x * 2
    for turn in first .. min(first + 2, groups_x) {
      let place_x = turn * 4 + local.x
      t[local.x] = place_x * (groups_of_4 * 4) + groups_x
      barrier
      y[turn * 4 + local.x] = t[3 - local.x]
      barrier
    }
  })")));
}

TEST(GroupTurns, LeaveNoGroupOutWhateverTheNumber) {
  const auto expected = testing::after<std::uint32_t>(reversed, "y");
  for (const std::uint32_t turns : {2U, 3U, 5U, 64U}) {
    const auto made = with_group_turns(parsed(reversed), turns);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(testing::after<std::uint32_t>(print(*made), "y"), expected) << turns;
  }
}

TEST(GroupTurns, AreTakenInTheFirstDimensionWithMoreThanOneGroup) {
  const auto dimension = [](std::string_view grid) {
    return turned_dimension(
        parsed(fmt::format("program p {{ uniform n: u32 = 8 grid {} workgroup 4, 2 }}", grid)));
  };
  EXPECT_EQ(dimension("8, 2"), 0U);
  EXPECT_EQ(dimension("4, n"), 1U);
  EXPECT_EQ(dimension("workgroup.x, 2, n"), 2U);
  EXPECT_EQ(dimension("4, 2"), 0U);
}

TEST(GroupTurns, NeedABarrier) {
  EXPECT_EQ(with_group_turns(parsed("program p { grid 8 workgroup 4 let i = local.x }"), 2)
                .error()
                .message,
            "cannot let each workgroup take 2 turns: there is no barrier, so invocations can be "
            "given more items instead");
  EXPECT_FALSE(with_group_turns(parsed(reversed), 0));
}

}  // namespace
}  // namespace vyre::schedule
