#include "schedule/inside.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "schedule/cases.h"
#include "support/programs.h"
#include "support/random_source.h"

namespace vyre::schedule {
namespace {

using testing::parsed;
using testing::RandomSource;

std::string on_a_row(const std::string& statements) {
  return "program p { uniform w: u32 = 64 buffer a: f32[w] read buffer y: f32[w] write "
         "grid w workgroup 1 let x = invocation.x " +
         statements + " }";
}

// What is tested before, what is done inside.
void expect_split(const std::string& from, const std::string& test, const std::string& inside) {
  const auto made = split_inside(parsed(on_a_row(from)));
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_EQ(made->body.size(), 1U);
  const auto* branch = ir::as<ir::If>(made->body[0]);
  ASSERT_NE(branch, nullptr);
  EXPECT_EQ(print(branch->cond), test);
  ir::Program fast = *made;
  fast.body = branch->then;
  EXPECT_EQ(print(fast), print(parsed(on_a_row(inside))));
}

TEST(Inside, NothingIsClamped) {
  expect_split("y[x] = a[min(x + 1, w - 1)]", "invocation.x + 1 <= w - 1", "y[x] = a[x + 1]");
  expect_split("y[x] = a[max(x, 2) - 2]", "invocation.x >= 2", "y[x] = a[x - 2]");
}

TEST(Inside, NothingIsWrapped) {
  expect_split("y[x] = a[(x + 1) % w]", "invocation.x + 1 < w", "y[x] = a[x + 1]");
  expect_split("y[x] = a[(x + w - 1) % w]",
               "invocation.x + w - 1 >= w & invocation.x + w - 1 - w < w",
               "y[x] = a[x + w - 1 - w]");
}

TEST(Inside, ChoicesAreMadeAsInTheMiddleOfTheGrid) {
  expect_split("y[x] = a[select(x == 0, 0, x - 1)]", "invocation.x != 0", "y[x] = a[x - 1]");
  expect_split("y[x] = a[select(x + 1 < w, x + 1, x)]", "invocation.x + 1 < w", "y[x] = a[x + 1]");
}

TEST(Inside, WhatALoopTestsIsTestedBeforeForItsFirstAndItsLastIteration) {
  expect_split(R"(
    var s = 0.0
    for i in 0 .. 5 {
      let at = x + i - 2
      if at < w { s = s + a[at] }
    }
    y[x] = s)",
               "invocation.x - 2 <= invocation.x + 4 - 2 & invocation.x + 4 - 2 < w", R"(
    var s = 0.0
    for i in 0 .. 5 {
      let at = x + i - 2
      s = s + a[at]
    }
    y[x] = s)");
}

TEST(Inside, LoopsOfSignedIntegersAreTestedLikewise) {
  expect_split(R"(
    var s = 0.0
    for i in -2i .. 3i { s = s + a[u32(min(max(i32(x) + i, 0i), i32(w) - 1i))] }
    y[x] = s)",
               "i32(invocation.x) + -2i <= i32(invocation.x) + 2i & i32(invocation.x) + -2i >= 0i "
               "& i32(invocation.x) + 2i <= i32(w) - 1i",
               R"(
    var s = 0.0
    for i in -2i .. 3i { s = s + a[u32(i32(x) + i)] }
    y[x] = s)");
}

TEST(Inside, LoopsThatBeginAtThePlaceCountFromZero) {
  expect_split(R"(
    var s = 0.0
    for v in max(x, 1) - 1 .. min(x + 2, w) { s = s + a[v] }
    y[x] = s)",
               "invocation.x >= 1 & invocation.x + 2 <= w & invocation.x - 1 <= 4294967292", R"(
    var s = 0.0
    for v_count in 0 .. 3 {
      let v = x - 1 + v_count
      s = s + a[v]
    }
    y[x] = s)");
  expect_split("var s = 0.0 for v in x .. x + w { s = s + 1.0 } y[x] = s",
               "invocation.x <= 4294967295 - w",
               "var s = 0.0 for v_count in 0 .. w { let v = x + v_count s = s + 1.0 } y[x] = s");
}

TEST(Inside, LoopsThatAreNotEquallyLongEverywhereStay) {
  for (const std::string range : {"0 .. x", "x .. w", "x .. 2 * x + 1", "x .. x + u32(a[0])"}) {
    const std::string body = "var s = 0.0 for v in " + range + " { s = s + a[v % w] } y[x] = s";
    EXPECT_FALSE(split_inside(parsed(on_a_row(body)))) << range;
  }
}

TEST(Inside, IsNothingWherePlacesDoNotMatter) {
  for (const std::string body : {"y[x] = a[x]", "y[x] = a[min(w - 1, 7)]",
                                 "var i = x for k in 0 .. 3 { i = min(i, 9) } y[x] = a[i]",
                                 "y[x] = a[min(u32(a[x]), w - 1)]"}) {
    const auto made = split_inside(parsed(on_a_row(body)));
    EXPECT_EQ(made ? "made" : made.error().message,
              "cannot keep borders apart: no index is clamped, wrapped or tested by its place in "
              "the grid")
        << body;
  }
}

// Indices of every kind that images use at their borders; all stay within 12 x 7.
Case random_border(std::uint64_t seed) {
  RandomSource random(seed);
  const auto along = [&](std::string_view id, std::string_view size, std::string_view offset) {
    switch (random.below(6)) {
      case 0:
        return fmt::format("u32(min(max(i32({0}) + i32({2}) - 1i, 0i), i32({1}) - 1i))", id, size,
                           offset);
      case 1:
        return fmt::format("({0} + {2}) % {1}", id, size, offset);
      case 2:
        return fmt::format("({0} + {1} - {2}) % {1}", id, size, offset);
      case 3:
        return fmt::format("select({0} + {2} < {1}, {0} + {2}, {0})", id, size, offset);
      case 4:
        return fmt::format("select({0} < {2}, 0, {0} - {2})", id, size, offset);
      default:
        return fmt::format("min({0} + {2}, {1} - 1)", id, size, offset);
    }
  };
  constexpr std::array<std::string_view, 4> clipped = {"max(x, 1) - 1 .. min(x + 3, w)",
                                                       "x .. min(x + 2, w)", "x / 2 .. x / 2 + 1",
                                                       "max(x, 2) - 2 .. x + 1"};
  const std::uint32_t above = random.below(3);
  const std::string text = fmt::format(
      R"(program border_{} {{
        uniform w: u32 = {}
        uniform h: u32 = {}
        uniform n: u32 = {}
        buffer a: f32[84] read
        buffer y: f32[84] write
        grid w, h
        workgroup 4
        let x = invocation.x
        let v = invocation.y
        var s = a[{} * w + {}]
        for j in {} .. n {{
          for i in 0 .. 3 {{
            let column = x + i - 1
            if column < w {{ s = fma(a[{} * w + column], 0.5, s) }}
            s = s + a[{} * w + {}]
          }}
        }}
        for i in -1i .. 2i {{
          s = s + a[u32(min(max(i32(v) + i, 0i), i32(h) - 1i)) * w + x]
        }}
        for i in max(i32(x) - 1i, 0i) .. min(i32(x) + 2i, i32(w)) {{ s = s - a[u32(i)] }}
        for row in max(v, {}) - {} .. min(v + 2, h) {{
          for column in {} {{ s = fma(a[row * w + column], 0.25, s) }}
        }}
        y[v * w + x] = s
      }})",
      seed, 1 + random.below(12), 1 + random.below(7), random.below(4), along("v", "h", "1"),
      along("x", "w", "1"), random.below(2), along("v", "h", "j"), along("v", "h", "1"),
      along("x", "w", "i"), above, above, random.pick(clipped));
  Case made{parsed(text), {}};
  made.schedule.set("wg_x", 4);
  made.schedule.set("inside", 1);
  made.schedule.set("vector", 1U << random.below(3));
  made.schedule.set("items_y", 1 + random.below(2));
  made.schedule.set("unroll", 1 + random.below(3));
  made.schedule.set("order", random.below(3));
  return made;
}

TEST(InsideAndBorder, GiveTheSameBitsOnTheInterpreter) {
  expect_same_bits(random_border, 500, 200);
}

TEST(InsideAndBorder, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_border, 12);
}

}  // namespace
}  // namespace vyre::schedule
