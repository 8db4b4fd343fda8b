// Whiles that items go through together, under masks, or one after the other.
#include <gtest/gtest.h>

#include "schedule/coarsen.h"
#include "schedule/loop_lanes.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"
#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

void expect_vectorized(std::string_view text, std::string_view expected) {
  const auto made = vectorized(parsed(text), 2);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(expected)));
}

TEST(WhileInVectors, GoesOnForAllLanesUntilNoneIsLeft) {
  expect_vectorized(R"(program escape {
    buffer steps: u32[64] write
    grid 64
    let c = f32(invocation.x)
    var x = 0.0
    var k = 0
    while k < 100 & x * x <= 4.0 {
      let next = x * x + c
      x = next
      k = k + 1
    }
    steps[invocation.x] = k
  })",
                    R"(program escape {
    buffer steps: u32[64] write
    grid 32
    let first = invocation.x * 2
    let c = f32(splat2(first) + [0, 1])
    var x = splat2(0.0)
    var k = splat2(0)
    var running = (k < splat2(100)) & (x * x <= splat2(4.0))
    while any(running) {
      let next = x * x + c
      x = select(running, next, x)
      k = select(running, k + splat2(1), k)
      running = running & ((k < splat2(100)) & (x * x <= splat2(4.0)))
    }
    steps[first : 2] = k
  })");
}

TEST(WhileInVectors, TakesLanesOutThatBreak) {
  expect_vectorized(R"(program p {
    buffer x: u32[64] read_write
    grid 64
    var v = x[invocation.x]
    while true {
      if v > 9 {
        v = v - 1
        if v > 20 { break }
        v = v * 2
      }
      v = v + 3
    }
    x[invocation.x] = v
  })",
                    R"(program p {
    buffer x: u32[64] read_write
    grid 32
    let first = invocation.x * 2
    var v = x[first : 2]
    var running = splat2(true)
    while any(running) {
      let mask = v > splat2(9)
      let mask_2 = running & mask
      v = select(mask_2, v - splat2(1), v)
      let mask_3 = v > splat2(20)
      let mask_4 = mask_2 & mask_3
      running = running & !mask_4
      let mask_5 = mask_2 & running
      v = select(mask_5, v * splat2(2), v)
      v = select(running, v + splat2(3), v)
      running = running & splat2(true)
    }
    x[first : 2] = v
  })");
}

TEST(WhileInVectors, IsKeptOnceWhereAllLanesGoOnAlike) {
  expect_vectorized(R"(program p {
    uniform n: u32 = 9
    buffer x: u32[64] read_write
    grid 64
    var k = 0
    while k < n {
      x[invocation.x] = x[invocation.x] + k
      k = k + 1
      if k == 7 { break }
    }
  })",
                    R"(program p {
    uniform n: u32 = 9
    buffer x: u32[64] read_write
    grid 32
    let first = invocation.x * 2
    var k = 0
    while k < n {
      x[first : 2] = x[first : 2] + splat2(k)
      k = k + 1
      if k == 7 { break }
    }
  })");
}

TEST(WhileInVectors, IsGoneThroughLaneByLaneWhereItIsMostlyLoads) {
  expect_vectorized(R"(program p {
    buffer x: u32[64] read
    buffer y: u32[64] write
    grid 64
    var v = x[invocation.x]
    while x[v] > v { v = x[v] }
    y[invocation.x] = v
  })",
                    R"(program p {
    buffer x: u32[64] read
    buffer y: u32[64] write
    grid 32
    let first = invocation.x * 2
    var v = x[first : 2]
    var v_2 = v.0
    var v_3 = v.1
    while x[v_2] > v_2 { v_2 = x[v_2] }
    while x[v_3] > v_3 { v_3 = x[v_3] }
    v = [v_2, v_3]
    y[first : 2] = v
  })");
}

TEST(WhileOfJammedItems, GoesOnForAllWhereThoseThatHaveLeftDoNoHarm) {
  const auto made = coarsened(parsed(R"(program p {
    buffer y: u32[128] write
    grid 64
    var v = splat2(invocation.x)
    var running = v > splat2(3)
    while any(running) {
      v = select(running, v - splat2(1), v)
      running = running & (v > splat2(3))
    }
    y[invocation.x * 2 : 2] = v
  })"),
                              {.dim = 0, .items = 2, .order = Order::jammed});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program p {
    buffer y: u32[128] write
    grid 32
    let first = invocation.x * 2
    var v_2 = splat2(first)
    var v_3 = splat2(first + 1)
    var running_2 = v_2 > splat2(3)
    var running_3 = v_3 > splat2(3)
    while any(running_2) | any(running_3) {
      v_2 = select(running_2, v_2 - splat2(1), v_2)
      v_3 = select(running_3, v_3 - splat2(1), v_3)
      running_2 = running_2 & (v_2 > splat2(3))
      running_3 = running_3 & (v_3 > splat2(3))
    }
    y[first * 2 : 2] = v_2
    y[(first + 1) * 2 : 2] = v_3
  })")));
}

TEST(WhileOfJammedItems, IsGoneThroughOneByOneWhereThoseThatHaveLeftWouldDoHarm) {
  const auto made = coarsened(parsed(R"(program p {
    buffer y: u32[64] write
    grid 64
    var v = invocation.x
    while v > 3 { v = v - 1 }
    y[invocation.x] = v
  })"),
                              {.dim = 0, .items = 2, .order = Order::jammed});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program p {
    buffer y: u32[64] write
    grid 32
    let first = invocation.x * 2
    var v_2 = first
    var v_3 = first + 1
    while v_2 > 3 { v_2 = v_2 - 1 }
    while v_3 > 3 { v_3 = v_3 - 1 }
    y[first] = v_2
    y[first + 1] = v_3
  })")));
}

TEST(While, IsNoLoopThatIsUnrolledOrHasLanes) {
  const ir::Program program = parsed(R"(program p {
    buffer x: u32[64] read
    buffer y: u32[8] write
    grid 8
    var sum = 0
    for k in 0 .. 64 {
      var v = x[k]
      while v > 1 { v = v / 2 }
      sum = sum + v
    }
    y[invocation.x] = sum
  })");
  const auto unrolling = unrolled(program, 2);
  ASSERT_FALSE(unrolling);
  EXPECT_EQ(unrolling.error().message,
            "cannot unroll by 2: there is no innermost loop that it may unroll");
  const auto lanes = with_loop_lanes(program, {.width = 4});
  ASSERT_FALSE(lanes);
  EXPECT_EQ(lanes.error().message, "cannot make vectors of 4 along loops: there is no loop");
}

}  // namespace
}  // namespace vyre::schedule
