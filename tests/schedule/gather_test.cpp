#include "schedule/gather.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "vyre/ir/text.h"
#include "vyre/schedule/schedule.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

std::string around(const std::string& statements) {
  return "program p { buffer x: u32[64] read buffer n: u32[8] read_write "
         "buffer m: u32[4] read_write grid 4 workgroup 1 " +
         statements + " }";
}

TEST(Gathering, AddsOnceWhatALoopAddsToOneElement) {
  const auto made = gathered(parsed(around(R"(
    let to = invocation.x
    for i in 0 .. 16 {
      if x[i] > 3 { atomic n[to] += x[i] }
      atomic n[to] += 1
      atomic n[i % 8] += 1
    })")));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(around(R"(
    let to = invocation.x
    var sum = 0
    for i in 0 .. 16 {
      if x[i] > 3 { sum = sum + x[i] }
      sum = sum + 1
      atomic n[i % 8] += 1
    }
    if sum != 0 { atomic n[to] += sum })"))));
}

TEST(Gathering, LeavesWhatTheLoopReadsOrWhatMoves) {
  for (const std::string body :
       {"for i in 0 .. 4 { atomic n[i] += 1 }",
        "for i in 0 .. 4 { atomic n[invocation.x] += n[invocation.x] }",
        "for i in 0 .. 4 { atomic n[x[i] % 8] += 1 }",
        // What the index reads is another element in each iteration.
        "for i in 0 .. 4 { atomic n[m[invocation.x] % 8] += 1 m[invocation.x] = i }",
        "var to = 0 for i in 0 .. 4 { atomic n[to] += 1 to = to + 1 }", "atomic n[0] += 1",
        "for i in 0 .. 4 { atomic n[0] += 1 barrier }"}) {
    const auto made = gathered(parsed(around(body)));
    EXPECT_EQ(made ? "made" : made.error().message,
              "cannot gather atomic adds: no loop adds to one element only by atomics")
        << body;
  }
}

TEST(Gathering, MakesOneAtomicOfTheItemsOfAnInvocation) {
  const ir::Program program = parsed(R"(program total {
    uniform n: u32 = 1000
    buffer x: u32[n] read
    buffer sum: u32[1] read_write
    grid n
    atomic sum[0] += x[invocation.x]
  })");
  const auto made = apply(program, parse_schedule("items_x=16 vector=4 gather=1").value());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program total {
    uniform n: u32 = 1000
    buffer x: u32[n] read
    buffer sum: u32[1] read_write
    grid ((n + 3) / 4 + 15) / 16
    let first_2 = invocation.x * 16
    var sum_2 = splat4(0)
    var sum_3 = 0
    for item_2 in first_2 .. min(first_2 + 16, (n + 3) / 4) {
      let first = item_2 * 4
      if first + 4 <= n {
        sum_2 = sum_2 + x[first : 4]
      } else {
        for item in first .. n {
          sum_3 = sum_3 + x[item]
        }
      }
    }
    let total = sum(sum_2) + sum_3
    if total != 0 { atomic sum[0] += total }
  })")));
}

TEST(Gathering, AddsUpFloatsToo) {
  const ir::Program program = parsed(R"(program dot {
    buffer x: f32[1024] read
    buffer y: f32[1024] read
    buffer sum: f32[1] read_write
    grid 1024
    reassociate
    atomic sum[0] += x[invocation.x] * y[invocation.x]
  })");
  const auto made = apply(program, parse_schedule("items_x=4 vector=8 gather=1").value());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program dot {
    buffer x: f32[1024] read
    buffer y: f32[1024] read
    buffer sum: f32[1] read_write
    grid 32
    reassociate
    let first_2 = invocation.x * 4
    var sum_2 = splat8(0.0)
    for item in first_2 .. first_2 + 4 {
      let first = item * 8
      sum_2 = sum_2 + x[first : 8] * y[first : 8]
    }
    let total = sum(sum_2)
    if total != 0.0 { atomic sum[0] += total }
  })")));
}

}  // namespace
}  // namespace vyre::schedule
