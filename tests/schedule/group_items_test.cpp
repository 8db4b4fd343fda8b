// Vectors and items side by side in programs whose invocations meet at barriers.
#include "schedule/group_items.h"

#include <gtest/gtest.h>

#include "schedule/coarsen.h"
#include "schedule/vectorize.h"
#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

constexpr std::string_view shifted = R"(program shifted {
  uniform n: u32 = 64
  buffer x: f32[n] read
  buffer y: f32[n] write
  shared t: f32[workgroup.x]
  grid n / workgroup.x * workgroup.x
  workgroup 8
  t[local.x] = x[invocation.x]
  barrier
  y[invocation.x] = t[workgroup.x - 1 - local.x]
})";

TEST(GroupItems, BecomeLanesAndTheWorkgroupIsSmaller) {
  const auto made = vectorized(parsed(shifted), 4);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program shifted {
    uniform n: u32 = 64
    buffer x: f32[n] read
    buffer y: f32[n] write
    shared t: f32[8]
    grid n / 8 * 8 / 4
    workgroup 2
    let first = local.x * 4
    t[first : 4] = x[group.x * 8 + first : 4]
    barrier
    y[group.x * 8 + first : 4] = [t[7 - first], t[7 - (first + 1)],
      t[7 - (first + 2)], t[7 - (first + 3)]]
  })")));
}

constexpr std::string_view by_columns = R"(program by_columns {
  buffer a: f32[64] read
  buffer c: f32[64] write
  shared t: f32[16]
  grid 8, 8
  workgroup 4, 4
  let at = local.y * 4 + local.x
  var sum = 0.0
  for tile in 0 .. 8 step 4 {
    t[at] = a[invocation.y * 8 + tile + local.x]
    barrier
    for k in 0 .. 4 {
      sum = fma(t[local.y * 4 + k], t[k], sum)
    }
    barrier
  }
  c[invocation.y * 8 + invocation.x] = sum
})";

TEST(GroupItems, KeepAccumulatorsSideBySideAndLoadOnceWhatTheyShare) {
  const auto made = coarsened(parsed(by_columns), {.dim = 1, .items = 2, .order = Order::jammed});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->workgroup, (Extent{4, 2, 1}));
  EXPECT_EQ(made->grid[1], ir::literal(4U));
  EXPECT_NE(print(*made).find(R"(
    for k in 0 .. 4 {
      sum_2 = fma(t[first * 4 + k], t[k], sum_2)
      sum_3 = fma(t[(first + 1) * 4 + k], t[k], sum_3)
    }
    barrier)"),
            std::string::npos)
      << print(*made);
}

TEST(GroupItems, AreRefusedWhereTheWorkgroupIsNoMultiple) {
  EXPECT_EQ(vectorized(parsed(shifted), 16).error().message,
            "cannot use vectors of 16: the workgroup has 8 invocations in x, no multiple of 16");
}

TEST(GroupItems, AreRefusedWhereTheyMayPartWaysAroundABarrier) {
  EXPECT_EQ(vectorized(parsed("program p { buffer y: u32[8] write grid 8 workgroup 8 "
                              "if local.x < 8 { barrier } y[invocation.x] = 1 }"),
                       2)
                .error()
                .message,
            "cannot use vectors of 2: in `if invocation.x < 8 { ... }`, invocations may part ways "
            "around a barrier");
}

TEST(GroupItems, AreTakenSideBySideOnly) {
  EXPECT_EQ(coarsened(parsed(by_columns), {.dim = 0, .items = 2}).error().message,
            "cannot give each invocation 2 items in x: 't' is shared by a workgroup");
}

}  // namespace
}  // namespace vyre::schedule
