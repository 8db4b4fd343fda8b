// Private buffers of items that share an invocation: each item keeps its own.
#include <gtest/gtest.h>

#include "schedule/coarsen.h"
#include "schedule/loop_lanes.h"
#include "schedule/tile.h"
#include "schedule/vectorize.h"
#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

constexpr std::string_view window = R"(program window {
  buffer x: f32[64] read
  buffer y: f32[64] write
  private own: f32[3]
  grid 64
  let i = invocation.x
  own[0] = x[i]
  own[i % 3] = 1.0
  y[i] = own[0]
})";

TEST(PrivateBuffer, HasElementsOfVectorLanesSideBySide) {
  const auto made = vectorized(parsed(window), 4);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program window {
    buffer x: f32[64] read
    buffer y: f32[64] write
    private own: f32[12]
    grid 16
    let first = invocation.x * 4
    let i = first
    own[0 : 4] = x[i : 4]
    let values = splat4(1.0)
    own[i % 3 * 4] = values.0
    own[(i + 1) % 3 * 4 + 1] = values.1
    own[(i + 2) % 3 * 4 + 2] = values.2
    own[(i + 3) % 3 * 4 + 3] = values.3
    y[i : 4] = own[0 : 4]
  })")));
}

TEST(PrivateBuffer, FollowsThatOfTheItemBeforeWhereItemsAreJammed) {
  const auto made = coarsened(parsed(window), {.dim = 0, .items = 2, .order = Order::jammed});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program window {
    buffer x: f32[64] read
    buffer y: f32[64] write
    private own: f32[6]
    grid 32
    let first = invocation.x * 2
    let i = first
    own[0] = x[i]
    own[3] = x[i + 1]
    own[i % 3] = 1.0
    own[(i + 1) % 3 + 3] = 1.0
    y[i] = own[0]
    y[i + 1] = own[3]
  })")));
}

TEST(PrivateBuffer, StaysInOnePieceWhereAnItemAccessesVectorsOfIt) {
  const auto made = vectorized(parsed(R"(program p {
    buffer x: f32[64] read
    buffer y: f32[64] write
    private own: f32[3]
    grid 64
    let i = invocation.x
    own[0 : 2] = splat2(x[i])
    y[i] = own[1]
  })"),
                               2);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program p {
    buffer x: f32[64] read
    buffer y: f32[64] write
    private own: f32[6]
    grid 32
    let first = invocation.x * 2
    let i = first
    own[0 : 2] = splat2(x[i])
    own[3 : 2] = splat2(x[i + 1])
    y[i : 2] = [own[1], own[4]]
  })")));
}

TEST(PrivateBuffer, IsHeldOnceWhereAllItemsWriteTheSame) {
  const auto made = vectorized(parsed(R"(program p {
    buffer x: f32[64] read
    buffer y: f32[64] write
    private own: f32[2]
    grid 64
    own[0] = x[3]
    own[1] = 2.0
    y[invocation.x] = own[invocation.x % 2]
  })"),
                               2);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program p {
    buffer x: f32[64] read
    buffer y: f32[64] write
    private own: f32[2]
    grid 32
    let first = invocation.x * 2
    own[0] = x[3]
    own[1] = 2.0
    y[first : 2] = own[first % 2 : 2]
  })")));
}

TEST(PrivateBuffer, LimitsHowManyItemsGoSideBySide) {
  std::string text(window);
  text.replace(text.find("f32[3]"), 6, "f32[600]");
  EXPECT_TRUE(vectorized(parsed(text), 4));
  const auto made = vectorized(parsed(text), 8);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message,
            "cannot use vectors of 8: with 'own', an invocation has 4800 elements of its own; at "
            "most 4096 are accepted: make private buffers smaller, or use a buffer");
}

TEST(PrivateBuffer, IsAccessedByVectorsAlongLoopsLikeAnyOther) {
  const auto made = with_loop_lanes(parsed(R"(program p {
    buffer x: f32[16] read
    private own: f32[16]
    grid 4
    for k in 0 .. 16 { own[k] = x[k] * 2.0 }
  })"),
                                    {.width = 4});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program p {
    buffer x: f32[16] read
    private own: f32[16]
    grid 4
    for k_2 in 0 .. 16 step 4 {
      let k_3 = k_2
      own[k_3 : 4] = x[k_3 : 4] * splat4(2.0)
    }
  })")));
}

TEST(PrivateBuffer, CanBeWrittenBeforeTheLoopThatIsTiled) {
  EXPECT_TRUE(tiled(parsed(R"(program p {
    buffer a: f32[64 * 64] read
    buffer c: f32[64 * 64] write
    private sum: f32[1]
    grid 64, 64
    sum[0] = 0.0
    for k in 0 .. 64 { sum[0] += a[invocation.y * 64 + k] }
    c[invocation.y * 64 + invocation.x] = sum[0]
  })"),
                    {.workgroup = {8, 8, 1}, .depth = 8}));
}

}  // namespace
}  // namespace vyre::schedule
