#include "schedule/rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "schedule/cases.h"
#include "schedule/vectorize.h"
#include "support/programs.h"
#include "support/random_source.h"

namespace vyre::schedule {
namespace {

using testing::parsed;
using testing::RandomSource;

TEST(Rows, AreTheSameForAllLanesAndColumnsAreNeighbours) {
  const auto made = vectorized(parsed(R"(program flat {
    uniform w: u32 = 40
    buffer a: f32[w] read
    buffer b: f32[10] read
    buffer out: f32[400] write
    grid 400
    let i = invocation.x
    out[i] = a[i % w] * b[i / w]
  })"),
                               4);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program flat {
    uniform w: u32 = 40
    buffer a: f32[w] read
    buffer b: f32[10] read
    buffer out: f32[400] write
    grid 100
    let first = invocation.x * 4
    if w >= 4 & first % w <= w - 4 {
      let i = first
      out[i : 4] = a[first % w : 4] * splat4(b[first / w])
    } else {
      for item in first .. first + 4 {
        let i = item
        out[i] = a[i % w] * b[i / w]
      }
    }
  })")));
}

// Of whole vectors: then no lane is in the next row.
TEST(Rows, OfAKnownLengthNeedNoTest) {
  const auto made = vectorized(parsed(R"(program flat {
    buffer a: f32[8] read
    buffer out: f32[64] write
    grid 64
    out[invocation.x] = a[invocation.x % 8]
  })"),
                               4);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program flat {
    buffer a: f32[8] read
    buffer out: f32[64] write
    grid 16
    let first = invocation.x * 4
    out[first : 4] = a[first % 8 : 4]
  })")));
}

// Flat numbers of two and three dimensions, of sizes that divide and that do not, also none.
Case random_rows(std::uint64_t seed) {
  constexpr std::array<std::uint32_t, 10> lengths = {0, 1, 3, 4, 5, 8, 16, 17, 24, 40};
  constexpr std::array<std::string_view, 5> lines = {
      "let z = i / (w * h)\n let y = i / w % h", "let z = i / w / h\n let y = i / w - z * h",
      "let z = i / 0\n let y = i % 12", "let z = i / (w + 1)\n let y = i % (i % 3 + 1)",
      "let z = i % h\n let y = i / h"};
  RandomSource random(seed);
  const std::string text = fmt::format(
      R"(program rows_{} {{
        uniform n: u32 = {}
        uniform w: u32 = {}
        uniform h: u32 = {}
        buffer a: u32[300] read
        buffer out: u32[n + 1] read_write
        grid n
        let i = invocation.x
        let x = i % w
        {}
        out[i] = a[x] * 3 + a[y % 200] + z
        if x > 0 & x + 1 < w {{ out[i] = out[i] + a[x - 1] - a[(x + 1) % w] }}
      }})",
      seed, 1 + random.below(200), random.pick(lengths), random.pick(lengths), random.pick(lines));
  Case made{parsed(text), {}};
  constexpr std::array<std::uint32_t, 5> widths = {1, 2, 4, 8, 16};
  made.schedule.set("vector", random.pick(widths));
  made.schedule.set("items_x", 1 + random.below(5));
  made.schedule.set("order", random.below(3));
  if (random.one_in(4)) made.schedule.set("inside", 1);
  if (random.one_in(4)) made.schedule.set("phases", 2 + random.below(3));
  return made;
}

TEST(Rows, GiveTheSameBitsOnTheInterpreter) { expect_same_bits(random_rows, 500, 250); }

TEST(Rows, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_rows, 15);
}

}  // namespace
}  // namespace vyre::schedule
