#include "schedule/scatter.h"

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

constexpr auto coo = R"(program coo {
  uniform rows: u32 = 5
  uniform n: u32 = 30
  buffer row: u32[n] read
  buffer value: f32[n] read
  buffer y: f32[rows] read_write
  grid n
  reassociate
  atomic y[row[invocation.x] % rows] += value[invocation.x]
})";

TEST(Scatter, GivesEachGroupACopyAndAddsThemUp) {
  const auto made = scheduled_as(parsed(coo), "scatter_groups=4 wg_x=1");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(ir::print(*made), R"(program coo {
  uniform rows: u32 = 5
  uniform n: u32 = 30
  buffer row: u32[n] read
  buffer value: f32[n] read
  buffer y: f32[rows] read_write
  scratch partial: f32[rows * 4]
  grid 4
  workgroup 1
  reassociate

  let base = invocation.x * rows
  for element in 0 .. rows {
    partial[base + element] = 0.0
  }
  let blocks = n
  let share = blocks / 4
  let rest = blocks % 4
  for block in invocation.x * share + min(invocation.x, rest) .. (invocation.x + 1) * share + min(invocation.x + 1, rest) {
    let at = base + row[block] % rows
    partial[at] = partial[at] + value[block]
  }

  then grid rows workgroup 64 {
    var sum = y[invocation.x]
    for copy in 0 .. 4 {
      sum = sum + partial[copy * rows + invocation.x]
    }
    y[invocation.x] = sum
  }
}
)");
}

std::string why_not_scattered(std::string_view statements) {
  const auto made = scatter_stages(parsed(fmt::format(R"(program p {{
    uniform n: u32 = 8
    buffer a: u32[n] read
    buffer y: u32[n] read_write
    grid n
    let i = invocation.x
    {}
  }})",
                                                      statements)),
                                   2);
  return made ? "it is legal" : made.error().message;
}

TEST(Scatter, SaysWhyItIsRefused) {
  constexpr std::string_view cannot = "cannot add to copies in stages: ";
  EXPECT_EQ(why_not_scattered("atomic y[a[i] % n] += i"), "it is legal");
  EXPECT_EQ(why_not_scattered("y[i] = a[i]"), fmt::format("{}nothing is added by atomics", cannot));
  EXPECT_EQ(scatter_stages(parsed(coo), 1).error().message,
            fmt::format("{}there are from 2 to 65536 groups", cannot));
}

TEST(Scatter, HasSpacesInWhichAllIsLegal) {
  expect_legal_stages(parsed(coo),
                      {{"n", {Scalar::u32, 1U << 20U}}, {"rows", {Scalar::u32, 1U << 18U}}},
                      scatter_name, 1000, 10);
}

TEST(Scatter, IsOfferedForLargeArraysThatMuchIsAddedTo) {
  const auto offered = [](std::uint32_t n, std::uint32_t rows) {
    return is_offered(parsed(coo), {{"n", {Scalar::u32, n}}, {"rows", {Scalar::u32, rows}}},
                      scatter_name);
  };
  EXPECT_TRUE(offered(1U << 20U, 1U << 18U));
  EXPECT_FALSE(offered(1U << 20U, 1U << 24U)) << "copies are more work than the additions";
  EXPECT_FALSE(offered(1U << 20U, 100)) << "small ones have copies in shared memory";
}

// Additions to arrays of several lengths and types, of whole numbers that no sum rounds, from grids
// of one to three dimensions.
Case random_scatter(std::uint64_t seed) {
  constexpr std::array<std::string_view, 3> targets = {"counts", "sums", "weights"};
  constexpr std::array<std::string_view, 4> guards = {"if true", "if x[i] % 3 == 0",
                                                      "for k in 0 .. x[i] % 3", "if i > 4"};
  RandomSource random(seed);
  std::string statements;
  for (std::uint32_t n = 1 + random.below(3); n-- > 0;) {
    const auto target = random.pick(targets);
    const std::string_view value = target == "counts" ? "x[i]"
                                   : target == "sums" ? "i32(x[i]) - 7i"
                                                      : "f32(x[i] % 64)";
    statements += fmt::format("{} {{ atomic {}[(x[i] + i) % {}] += {} }}\n", random.pick(guards),
                              target, target == "sums" ? "bins" : "7", value);
  }
  const std::string text = fmt::format(
      R"(program scatter_{} {{
        uniform w: u32 = {}
        uniform h: u32 = {}
        uniform bins: u32 = {}
        buffer x: u32[w * h * 2] read
        buffer y: u32[w * h * 2] write
        buffer counts: u32[7] read_write
        buffer sums: i32[bins] read_write
        buffer weights: f32[7] read_write
        grid w, h, 2
        workgroup 4
        reassociate
        let i = (invocation.z * h + invocation.y) * w + invocation.x
        y[i] = x[i] + grid.x
        {}
      }})",
      seed, 1 + random.below(20), 1 + random.below(4), 1 + random.below(12), statements);
  Case made{parsed(text), {}};
  made.schedule.set("wg_x", 1 + random.below(3));
  made.schedule.set(scatter_name, 2 + random.below(40));
  made.schedule.set("unroll", 1 + random.below(3));
  made.schedule.set("items_x", 1 + random.below(2));
  return made;
}

TEST(Scatter, GivesTheSameBitsOnTheInterpreter) { expect_same_bits(random_scatter, 1000, 600); }

TEST(Scatter, GivesOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_scatter, 30);
}

}  // namespace
}  // namespace vyre::schedule
