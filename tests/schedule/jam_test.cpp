// Coarsening whose items go side by side.
#include <gtest/gtest.h>

#include "schedule/coarsen.h"
#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

void expect_jammed(std::string_view text, std::uint8_t dim, std::uint32_t items,
                   std::string_view expected) {
  const auto made = coarsened(parsed(text), {.dim = dim, .items = items, .order = Order::jammed});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(expected)));
}

TEST(Jamming, PutsItemsIntoTheLoopThatTheyShare) {
  expect_jammed(R"(program gemm {
    uniform m: u32 = 5
    uniform k: u32 = 10
    buffer a: f32[m * k] read
    buffer b: f32[k * 8] read
    buffer c: f32[m * 8] write
    grid 8, m
    let row = invocation.y
    var sum = 0.0
    for i in 0 .. k {
      let factor = b[i * 8 + invocation.x]
      sum = fma(a[row * k + i], factor, sum)
    }
    c[row * 8 + invocation.x] = sum
  })",
                1, 2, R"(program gemm {
    uniform m: u32 = 5
    uniform k: u32 = 10
    buffer a: f32[m * k] read
    buffer b: f32[k * 8] read
    buffer c: f32[m * 8] write
    grid 8, (m + 1) / 2
    let first = invocation.y * 2
    if first + 2 <= m {
      let row = first
      var sum_2 = 0.0
      var sum_3 = 0.0
      for i in 0 .. k {
        let factor = b[i * 8 + invocation.x]
        sum_2 = fma(a[row * k + i], factor, sum_2)
        sum_3 = fma(a[(row + 1) * k + i], factor, sum_3)
      }
      c[row * 8 + invocation.x] = sum_2
      c[(row + 1) * 8 + invocation.x] = sum_3
    } else {
      for item in first .. m {
        let row = item
        var sum = 0.0
        for i in 0 .. k {
          let factor = b[i * 8 + invocation.x]
          sum = fma(a[row * k + i], factor, sum)
        }
        c[row * 8 + invocation.x] = sum
      }
    }
  })");
}

TEST(Jamming, GoesSideBySideThroughWhatLoopsOfDifferentLengthsHaveInCommon) {
  expect_jammed(R"(program p {
    buffer y: u32[8] read_write
    grid 4
    var n = 0
    for i in 0 .. invocation.x { n = n + i }
    y[invocation.x] = n
  })",
                0, 2, R"(program p {
    buffer y: u32[8] read_write
    grid 2
    let first = invocation.x * 2
    var n_2 = 0
    var n_3 = 0
    let i_end = first
    let i_to = select(first <= first + 1, first, 0)
    for i_2 in 0 .. i_to {
      n_2 = n_2 + i_2
      n_3 = n_3 + i_2
    }
    for i_3 in i_to .. i_end { n_2 = n_2 + i_3 }
    for i_3 in i_to .. i_end + 1 { n_3 = n_3 + i_3 }
    y[first] = n_2
    y[first + 1] = n_3
  })");
}

TEST(Jamming, StartsSideBySideWhereTheLastOfTheItemsDoes) {
  expect_jammed(R"(program p {
    buffer y: u32[4] read_write
    grid 4
    let row = invocation.x
    var n = 0
    for i in row + 2 .. 9 { n = n + i }
    y[row] = n
  })",
                0, 2, R"(program p {
    buffer y: u32[4] read_write
    grid 2
    let first = invocation.x * 2
    let row = first
    var n_2 = 0
    var n_3 = 0
    let i_begin = row + 2
    let i_from = first + 3
    let i_to = select(first + 2 <= first + 3, 9, i_from)
    for i_2 in i_begin .. min(i_from, 9) { n_2 = n_2 + i_2 }
    for i_2 in i_begin + 1 .. min(i_from, 9) { n_3 = n_3 + i_2 }
    for i_3 in i_from .. i_to {
      n_2 = n_2 + i_3
      n_3 = n_3 + i_3
    }
    for i_4 in max(i_begin, max(i_from, i_to)) .. 9 { n_2 = n_2 + i_4 }
    for i_4 in max(i_begin + 1, max(i_from, i_to)) .. 9 { n_3 = n_3 + i_4 }
    y[row] = n_2
    y[row + 1] = n_3
  })");
}

TEST(Jamming, GoesOneByOneThroughLoopsWhoseLengthsAreLoaded) {
  expect_jammed(R"(program p {
    buffer y: u32[8] read_write
    grid 2
    var n = 0
    for i in 0 .. y[invocation.x] { n = n + i }
    y[invocation.x] = n
  })",
                0, 2, R"(program p {
    buffer y: u32[8] read_write
    grid 1
    let first = invocation.x * 2
    var n_2 = 0
    var n_3 = 0
    for i in 0 .. y[first] { n_2 = n_2 + i }
    for i in 0 .. y[first + 1] { n_3 = n_3 + i }
    y[first] = n_2
    y[first + 1] = n_3
  })");
}

TEST(Jamming, TestsForWrappingWhereAnIndexMayPassTheEndOfItsType) {
  expect_jammed(R"(program p {
    buffer y: u32[8] write
    grid 4
    if invocation.x - 1 < 2 { y[invocation.x] = 1 }
  })",
                0, 4, R"(program p {
    buffer y: u32[8] write
    grid 1
    let first = invocation.x * 4
    if first - 1 <= first + 3 - 1 & first + 3 - 1 < 2 {
      y[first] = 1
      y[first + 1] = 1
      y[first + 2] = 1
      y[first + 3] = 1
    } else {
      for lane in 0 .. 4 {
        if first + lane - 1 < 2 { y[first + lane] = 1 }
      }
    }
  })");
}

TEST(Jamming, RefusesMoreItemsThanRegistersCouldHold) {
  const auto made =
      coarsened(parsed("program p { grid 9 }"), {.items = 65, .order = Order::jammed});
  EXPECT_EQ(made.error().message,
            "cannot give each invocation 65 items in x: there are from 1 to 64 side by side");
}

}  // namespace
}  // namespace vyre::schedule
