// Loops over loads of every kind that tiling knows, with sizes that divide and sizes that do not:
// tiled, they give what they gave, on the interpreter to the bit and on the OpenCL device.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "schedule/cases.h"
#include "support/programs.h"
#include "support/random_source.h"

namespace vyre::schedule {
namespace {

using testing::RandomSource;

// Sums products of two loads; every index stays below 64.
Case random_tiles(std::uint64_t seed) {
  constexpr std::array<std::string_view, 8> indices = {
      "row * k + i", "i * n + column", "i",          "(i + column) % 64",
      "i * m + row", "63 - i",         "i * i % 64", "(row * n + column + i) % 64"};
  constexpr std::array<std::uint32_t, 6> sizes = {1, 2, 3, 5, 7, 8};
  constexpr std::array<std::uint32_t, 5> extents = {1, 2, 3, 4, 8};
  RandomSource random(seed);
  const std::string end = random.one_in(3) ? "8" : "k";
  const std::string text = fmt::format(
      R"(program tiled_{} {{
        uniform m: u32 = {}
        uniform n: u32 = {}
        uniform k: u32 = {}
        buffer a: f32[64] read
        buffer b: i32[64] read
        buffer c: f32[64] read_write
        grid {}, m
        workgroup 8
        let row = invocation.y
        let column = invocation.x
        var sum = 0.5
        for i in 0 .. {} {{
          let factor = f32(b[{}])
          if i % 2 == row % 2 {{ sum = sum * 0.5 }}
          sum = fma(a[{}], factor, sum)
        }}
        c[row * n + column] = sum + c[row * n + column]
      }})",
      seed, random.pick(sizes), random.pick(sizes), random.pick(sizes),
      random.one_in(2) ? "n" : "min(n, 4)", end, random.pick(indices), random.pick(indices));
  Case made{testing::parsed(text), {}};
  made.schedule.set("wg_x", random.pick(extents));
  made.schedule.set("wg_y", random.pick(extents));
  made.schedule.set("wg_z", random.one_in(4) ? 2U : 1U);
  made.schedule.set("tile", 1 + random.below(9));
  made.schedule.set("unroll", 1 + random.below(3));
  if (random.one_in(2)) return made;
  constexpr std::array<std::uint32_t, 4> items = {1, 2, 3, 4};
  made.schedule.set("items_x", random.pick(items));
  made.schedule.set("items_y", random.pick(items));
  made.schedule.set("order", 2);
  made.schedule.set("vector", random.one_in(2) ? 2U : 1U);
  made.schedule.set("group_turns", 1 + random.below(3));
  return made;
}

TEST(TiledLoops, GiveTheSameBitsOnTheInterpreter) { expect_same_bits(random_tiles, 600, 300); }

TEST(TiledLoops, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_tiles, 20);
}

}  // namespace
}  // namespace vyre::schedule
