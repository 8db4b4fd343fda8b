#include "schedule/vectorize.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schedule/cases.h"
#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

void expect_vectorized(std::string_view text, std::uint32_t width, std::string_view expected) {
  const auto made = vectorized(parsed(text), width);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(expected)));
}

std::string refusal(std::string_view text, std::uint32_t width) {
  const auto made = vectorized(parsed(text), width);
  return made ? "not refused" : made.error().message;
}

TEST(Vectors, LoadAndStoreNeighbouringElementsAndSplatTheRest) {
  expect_vectorized(R"(program saxpy {
    uniform n: u32 = 100
    uniform a: f32 = 2.0
    buffer x: f32[n] read
    buffer y: f32[n] read_write
    grid n
    let i = invocation.x
    y[i] = fma(a, x[i], y[i])
  })",
                    4, R"(program saxpy {
    uniform n: u32 = 100
    uniform a: f32 = 2.0
    buffer x: f32[n] read
    buffer y: f32[n] read_write
    grid (n + 3) / 4
    let first = invocation.x * 4
    if first + 4 <= n {
      let i = first
      y[i : 4] = fma(splat4(a), x[i : 4], y[i : 4])
    } else {
      for item in first .. n {
        let i = item
        y[i] = fma(a, x[i], y[i])
      }
    }
  })");
}

TEST(Vectors, OfBytesAndHalvesAreLoadedAndStoredWhole) {
  expect_vectorized(R"(program blend {
    buffer a: u8[64] read
    buffer h: f16[64] read_write
    buffer out: u8[64] write
    grid 64
    let i = invocation.x
    out[i] = a[i] * 3 >> 2
    h[i] = h[i] * f32(a[i])
  })",
                    16, R"(program blend {
    buffer a: u8[64] read
    buffer h: f16[64] read_write
    buffer out: u8[64] write
    grid 4
    let first = invocation.x * 16
    let i = first
    out[i : 16] = a[i : 16] * splat16(3) >> splat16(2)
    h[i : 16] = h[i : 16] * f32(a[i : 16])
  })");
}

TEST(Vectors, KeepWhatAllLanesShareAsScalars) {
  expect_vectorized(R"(program rows {
    buffer a: f32[40] read
    buffer b: f32[80] read
    buffer c: f32[32] write
    grid 8, 4
    var sum = 0.0
    for k in 0 .. 10 {
      sum = fma(a[invocation.y * 10 + k], b[k * 8 + invocation.x], sum)
    }
    c[invocation.y * 8 + invocation.x] = sum
  })",
                    8, R"(program rows {
    buffer a: f32[40] read
    buffer b: f32[80] read
    buffer c: f32[32] write
    grid 1, 4
    let first = invocation.x * 8
    var sum = splat8(0.0)
    for k in 0 .. 10 {
      sum = fma(splat8(a[invocation.y * 10 + k]), b[k * 8 + first : 8], sum)
    }
    c[invocation.y * 8 + first : 8] = sum
  })");
}

TEST(Vectors, GatherAndScatterWhatIsNotSideBySide) {
  expect_vectorized(R"(program transpose {
    buffer a: u32[16] read
    buffer t: u32[16] write
    grid 4, 4
    t[invocation.x * 4 + invocation.y] = a[invocation.y * 4 + invocation.x] + invocation.x
  })",
                    2, R"(program transpose {
    buffer a: u32[16] read
    buffer t: u32[16] write
    grid 2, 4
    let first = invocation.x * 2
    let values = a[invocation.y * 4 + first : 2] + (splat2(first) + [0, 1])
    t[first * 4 + invocation.y] = values.0
    t[(first + 1) * 4 + invocation.y] = values.1
  })");
}

TEST(Vectors, TestOnceForAllLanesAndGoOneByOneWhereThatFails) {
  expect_vectorized(R"(program inner {
    buffer x: f32[64] read
    buffer y: f32[64] write
    grid 64
    let i = invocation.x
    if i > 0 & i < 63 {
      y[i] = x[i - 1] + x[i + 1]
    } else {
      y[i] = x[i]
    }
  })",
                    2, R"(program inner {
    buffer x: f32[64] read
    buffer y: f32[64] write
    grid 32
    let first = invocation.x * 2
    let i = first
    if i > 0 & i + 1 < 63 {
      y[i : 2] = x[i - 1 : 2] + x[i + 1 : 2]
    } else {
      for lane in 0 .. 2 {
        if i + lane > 0 & i + lane < 63 {
          y[i + lane] = x[i + lane - 1] + x[i + lane + 1]
        } else {
          y[i + lane] = x[i + lane]
        }
      }
    }
  })");
}

std::string growing_alike(std::uint32_t m) {
  return fmt::format(R"(program p {{
    uniform m: u32 = {}
    buffer x: u32[32] read
    buffer y: u32[32] read_write
    grid 32
    let i = invocation.x
    if i + m < i + 2 * m {{ y[i] = x[i] }}
    if i32(i + m) >= i32(i) {{ y[i] = y[i] + 2 * x[i] }}
    if 2 * i + m != m + 2 * (i + 5) {{ y[i] = y[i] + 4 * x[i] }}
    if 2 * i + m > i + 2 * m {{ y[i] = y[i] + 8 * x[i] }}
  }})",
                     m);
}

TEST(Vectors, TestWhatGrowsAlikeForTheFirstLaneAndThatItDoesNotWrap) {
  const auto made = vectorized(parsed(growing_alike(9)), 4);
  ASSERT_TRUE(made) << made.error().message;
  const std::string text = print(*made);
  for (const char* test :
       {"if i + m <= i + m + 3 & i + 2 * m <= i + 2 * m + 3 & i + m < i + 2 * m {",
        "if i * 2 + m != m + (i + 5) * 2 {", "if i * 2 + m > i + 2 * m & (i + 1) * 2 + m >"}) {
    EXPECT_NE(text.find(test), std::string::npos) << test << " is not in\n" << text;
  }
}

TEST(Vectors, ComputeTheSameWhereWhatGrowsAlikeWraps) {
  for (const std::uint32_t m : {0U, 1U, 9U, 0x7fffffe5U, 0x7ffffffeU, 0x7fffffffU, 0x80000000U,
                                0xffffffe5U, 0xfffffff2U, 0xfffffffeU, 0xffffffffU}) {
    const ir::Program program = parsed(growing_alike(m));
    for (const std::uint32_t width : {2U, 4U, 8U, 16U}) {
      const auto made = vectorized(program, width);
      ASSERT_TRUE(made) << made.error().message;
      EXPECT_EQ(left_by_interpreter(*made), left_by_interpreter(program)) << m << print(*made);
    }
  }
}

TEST(Vectors, DoUnderMasksWhatLanesDoNotTakeAlikeAndOnlyComputes) {
  expect_vectorized(R"(program p {
    buffer x: u32[4] read
    buffer y: u32[4] write
    grid 4
    var v = x[invocation.x]
    if v < 7 {
      let w = v * 2
      if w > 3 { v = w }
    } else { v = 1 }
    y[invocation.x] = v
  })",
                    2, R"(program p {
    buffer x: u32[4] read
    buffer y: u32[4] write
    grid 2
    let first = invocation.x * 2
    var v = x[first : 2]
    let mask = v < splat2(7)
    let w = v * splat2(2)
    let mask_2 = w > splat2(3)
    let mask_3 = mask & mask_2
    v = select(mask_3, w, v)
    let mask_4 = !mask
    v = select(mask_4, splat2(1), v)
    y[first : 2] = v
  })");
}

TEST(Vectors, AreTakenApartForAStatementThatLanesDoNotTakeAlike) {
  expect_vectorized(R"(program p {
    buffer x: u32[4] read
    buffer y: u32[4] write
    grid 4
    var v = x[invocation.x]
    if v == 3 { v = x[v] }
    y[invocation.x] = v
  })",
                    2, R"(program p {
    buffer x: u32[4] read
    buffer y: u32[4] write
    grid 2
    let first = invocation.x * 2
    var v = x[first : 2]
    if v.0 == 3 & v.1 == 3 {
      v = [x[v.0], x[v.1]]
    } else {
      var v_2 = v.0
      var v_3 = v.1
      if v_2 == 3 { v_2 = x[v_2] }
      if v_3 == 3 { v_3 = x[v_3] }
      v = [v_2, v_3]
    }
    y[first : 2] = v
  })");
}

// A condition that was read before a store must not be read again after it.
TEST(Vectors, TestWhatALetHeldAndNotWhatItsValueWouldBeNow) {
  expect_vectorized(R"(program p {
    buffer x: u32[64] read_write
    buffer y: u32[64] write
    grid 64
    let i = invocation.x
    let small = x[i] < 32
    x[i] = 100
    if small { y[i] = x[i] }
  })",
                    2, R"(program p {
    buffer x: u32[64] read_write
    buffer y: u32[64] write
    grid 32
    let first = invocation.x * 2
    let i = first
    let small = x[i : 2] < splat2(32)
    x[i : 2] = splat2(100)
    if small.0 & small.1 {
      y[i : 2] = x[i : 2]
    } else {
      if small.0 { y[i] = x[i] }
      if small.1 { y[i + 1] = x[i + 1] }
    }
  })");
}

TEST(Vectors, AddUpWhatGoesToTheSameElementAndRepeatOtherAtomics) {
  expect_vectorized(R"(program p {
    buffer x: u32[4] read
    buffer n: u32[1] read_write
    grid 4
    let v = x[invocation.x]
    atomic n[0] += v
    atomic n[v % 1] += 1
  })",
                    2, R"(program p {
    buffer x: u32[4] read
    buffer n: u32[1] read_write
    grid 2
    let first = invocation.x * 2
    let v = x[first : 2]
    atomic n[0] += sum(v)
    atomic n[v.0 % 1] += 1
    atomic n[v.1 % 1] += 1
  })");
}

TEST(Vectors, AreRefusedWithAReason) {
  EXPECT_EQ(refusal("program p { buffer y: u32[64] write grid 64 y[invocation.x] = local.x }", 4),
            "cannot use vectors of 4: in `y[invocation.x] = local.x`, it reads local.x");
  EXPECT_EQ(refusal("program p { grid 64 let i = invocation.x }", 3),
            "cannot use vectors of 3: a vector has 2, 4, 8 or 16 lanes");
  EXPECT_EQ(
      refusal("program p { buffer y: u32[128] write grid 64 y[invocation.x * 2] = 1 }", 4),
      "cannot use vectors of 4: no two neighbouring invocations access neighbouring elements");
}

}  // namespace
}  // namespace vyre::schedule
