// Tiles with borders for stencils: what becomes of a program, what is refused, and that random ones
// give what they gave.
#include "schedule/halo.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "schedule/cases.h"
#include "schedule/halo_plan.h"
#include "support/programs.h"
#include "support/random_source.h"

namespace vyre::schedule {
namespace {

using testing::parsed;
using testing::RandomSource;

constexpr std::string_view heat = R"(program heat {
  uniform w: u32 = 20
  uniform h: u32 = 12
  buffer u: f32[w * h] read
  buffer v: f32[w * h] write
  grid w, h
  workgroup 8, 4
  let x = invocation.x
  let y = invocation.y
  let i = y * w + x
  if x > 0 & x < w - 1 & y > 0 {
    v[i] = u[i - 1] + u[i + 1] - u[i - w]
  }
})";

TEST(Halo, LoadsNeighboursIntoATileWithABorder) {
  const auto made = with_halo(parsed(heat));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program heat {
    uniform w: u32 = 20
    uniform h: u32 = 12
    buffer u: f32[w * h] read
    buffer v: f32[w * h] write
    shared u_tile: f32[50]
    grid (w + 7) / 8 * 8, (h + 3) / 4 * 4
    workgroup 8, 4
    for element in local.y * 8 + local.x .. 50 step 32 {
      let index = group.x * 8 + element % 10 + (group.y * 4 + element / 10 + 4294967295) * w + 4294967295
      if index < w * h { u_tile[element] = u[index] }
    }
    barrier
    if invocation.x < w & invocation.y < h {
      let x = invocation.x
      let y = invocation.y
      let i = y * w + x
      if x > 0 & x < w - 1 & y > 0 {
        v[i] = u_tile[local.x + (local.y + 1) * 10] + u_tile[local.x + (local.y + 1) * 10 + 2] - u_tile[local.x + local.y * 10 + 1]
      }
    }
  })")));
}

std::string halo_refusal(std::string_view body) {
  const auto made = with_halo(parsed(fmt::format(
      "program p {{ uniform n: u32 = 64 buffer x: f32[128] read buffer y: f32[128] read_write "
      "grid 64 {} }}",
      body)));
  return made ? "not refused" : made.error().message;
}

TEST(Halo, IsRefusedWhereNothingIsLoadedAround) {
  constexpr std::string_view none =
      "cannot load neighbours into a tile: no buffer is loaded from at places around the "
      "invocation's own";
  EXPECT_EQ(halo_refusal("y[invocation.x] = x[invocation.x]"), none);
  EXPECT_EQ(halo_refusal("let a = y[invocation.x] + y[invocation.x + 1]"), none)
      << "it may be written";
  EXPECT_EQ(halo_refusal("let a = x[invocation.x] + x[invocation.x * 2 + 1]"), none);
  EXPECT_EQ(halo_refusal("let a = x[invocation.x] + x[max(invocation.x, 1) - 1]"), none);
  EXPECT_EQ(halo_refusal("let a = x[invocation.x] + x[invocation.x + 100]"), none) << "too far";
  EXPECT_EQ(halo_refusal("var k = 1 let a = x[invocation.x] + x[invocation.x + k]"), none);
  EXPECT_EQ(halo_refusal("for k in 0 .. n { let a = x[invocation.x + k] }"), none);
  EXPECT_EQ(halo_refusal("for k in 0 .. 3 { let a = x[invocation.x + k] }"), "not refused");
  EXPECT_EQ(halo_refusal("barrier"),
            "cannot load neighbours into a tile: in `barrier`, all of a workgroup wait here");
}

TEST(Halo, KnowsRowsWhoseLengthIsANumber) {
  const auto tiles = plan_halo(parsed("program p { buffer x: f32[4096] read grid 32, 32 "
                                      "let i = invocation.y * 100 + invocation.x + 101 "
                                      "let a = x[i - 101] + x[i + 98] }"),
                               "plan");
  ASSERT_TRUE(tiles) << tiles.error().message;
  ASSERT_EQ(tiles->size(), 1U);
  EXPECT_EQ(tiles->front().least, (std::array<std::int64_t, 3>{-1, 0, 0}));
  EXPECT_EQ(tiles->front().most, (std::array<std::int64_t, 3>{0, 2, 0}));
}

TEST(Halo, KnowsRowsWhoseLengthIsASumAndWindows) {
  const auto tiles =
      plan_halo(parsed("program p { uniform w: u32 = 16 buffer x: f32[400] read grid w, 16 "
                       "for j in 0 .. 5 { for i in 1 .. 4 step 2 { "
                       "let a = x[(invocation.y + j) * (w + 4) + invocation.x + 2 * i] } } }"),
                "plan");
  ASSERT_TRUE(tiles) << tiles.error().message;
  EXPECT_EQ(tiles->front().least, (std::array<std::int64_t, 3>{2, 0, 0}));
  EXPECT_EQ(tiles->front().most, (std::array<std::int64_t, 3>{6, 4, 0}));
}

// A place around the own one, guarded.
std::string random_tap(RandomSource& random) {
  constexpr std::array<std::string_view, 6> shifts = {"- 1", "+ 1", "- 2", "+ 0", "+ 3", "+ 1"};
  const std::string x = fmt::format("(x {})", random.pick(shifts));
  const std::string y = fmt::format("(y {})", random.pick(shifts));
  return fmt::format("if {0} < w & {1} < h {{ sum = sum * 0.5 + a[{1} * w + {0}] }}\n", x, y);
}

Case random_stencil(std::uint64_t seed) {
  constexpr std::array<std::uint32_t, 6> sizes = {1, 2, 5, 8, 9, 16};
  constexpr std::array<std::uint32_t, 4> extents = {1, 2, 4, 8};
  RandomSource random(seed);
  std::string taps;
  for (std::uint32_t i = 0; i < 1 + random.below(4); ++i) taps += random_tap(random);
  const std::string text = fmt::format(
      R"(program stencil_{} {{
        uniform w: u32 = {}
        uniform h: u32 = {}
        buffer a: f32[w * h] read
        buffer b: i32[{}] read
        buffer c: f32[w * h] read_write
        grid w, {}
        let x = invocation.x
        let y = invocation.y
        var sum = 0.25
        {}
        for k in 0 .. {} {{ sum = sum + f32(b[x + k]) }}
        c[y * w + x] = sum + c[y * w + x] + f32(grid.x)
      }})",
      seed, random.pick(sizes), random.pick(sizes), 32, random.one_in(2) ? "h" : "min(h, 4)", taps,
      random.one_in(2) ? "3" : "min(w, 3)");
  Case made{parsed(text), {}};
  made.schedule.set("wg_x", random.pick(extents));
  made.schedule.set("wg_y", random.pick(extents));
  made.schedule.set("halo", 1);
  made.schedule.set("unroll", 1 + random.below(3));
  if (random.one_in(2)) made.schedule.set("vector", random.pick(extents));
  if (random.one_in(2)) made.schedule.set("items_y", random.pick(extents));
  made.schedule.set("order", 2);
  made.schedule.set("group_turns", 1 + random.below(3));
  return made;
}

TEST(Halo, GivesTheSameBitsOnTheInterpreter) { expect_same_bits(random_stencil, 600, 200); }

TEST(Halo, GivesOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_stencil, 20);
}

}  // namespace
}  // namespace vyre::schedule
