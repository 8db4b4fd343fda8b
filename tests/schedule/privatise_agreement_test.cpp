// Counts and sums by atomics over grids of one to three dimensions, of sizes that divide and sizes
// that do not, with private copies or with trees in workgroups: they give the bits they gave.
#include <fmt/format.h>

#include <array>

#include "schedule/cases.h"
#include "support/programs.h"
#include "support/random_source.h"

namespace vyre::schedule {
namespace {

using testing::RandomSource;

std::string random_add(RandomSource& random) {
  constexpr std::array<std::string_view, 6> indices = {
      "x[i] % 7",  "(x[i] + invocation.y) % 7", "invocation.x % 7", "invocation.z", "6",
      "grid.x % 7"};
  constexpr std::array<std::string_view, 4> values = {"1", "x[i]", "invocation.x * grid.x", "0"};
  const auto index = random.pick(indices);
  const auto value = random.pick(values);
  if (random.one_in(3)) return fmt::format("atomic sums[{} % bins] += i32({})", index, value);
  // Whole numbers below 64: no sum is rounded.
  if (random.one_in(3)) return fmt::format("atomic weights[{}] += f32({} % 64)", index, value);
  return fmt::format("atomic counts[{}] += {}", index, value);
}

std::string random_statements(RandomSource& random) {
  const std::string add = random_add(random);
  switch (random.below(5)) {
    case 0:
      return fmt::format("if x[i] % 3 == 0 {{ {} }} else {{ y[i] = 5 }}", add);
    case 1:
      return fmt::format("for k in 0 .. x[i] % 4 {{ {} }}", add);
    case 2:
      return fmt::format("var j = x[i] % 7\natomic counts[j] += 2\n{}", add);
    default:
      return add + "\n" + random_add(random);
  }
}

// Every index stays within its array.
Case random_counts(std::uint64_t seed, bool trees) {
  constexpr std::array<std::uint32_t, 8> sizes = {1, 2, 3, 4, 5, 8, 13, 37};
  constexpr std::array<std::uint32_t, 4> extents = {1, 2, 3, 4};
  RandomSource random(seed);
  const std::uint32_t w = random.pick(sizes);
  const std::uint32_t h = random.one_in(2) ? 1 : random.pick(sizes);
  const std::uint32_t d = random.one_in(3) ? 1 + random.below(4) : 1;
  const std::string text = fmt::format(
      R"(program counts_{} {{
        uniform w: u32 = {}
        uniform h: u32 = {}
        uniform bins: u32 = {}
        buffer x: u32[w * h * {}] read
        buffer y: u32[w * h * {}] read_write
        buffer counts: u32[7] read_write
        buffer sums: i32[bins] read_write
        buffer weights: f32[7] read_write
        grid {}, h, {}
        workgroup 4
        reassociate
        let i = (invocation.z * h + invocation.y) * w + invocation.x
        y[i] = y[i] ^ x[i]
        {}
      }})",
      seed, w, h, 1 + random.below(9), d, d, random.one_in(3) ? fmt::format("{}", w) : "w", d,
      random_statements(random));
  Case made{testing::parsed(text), {}};
  for (const std::string axis : {"x", "y", "z"}) {
    made.schedule.set("wg_" + axis, random.one_in(2) ? 1U : random.pick(extents));
    if (random.one_in(3)) made.schedule.set("items_" + axis, random.pick(extents));
  }
  made.schedule.set("order", random.below(3));
  if (random.one_in(4)) made.schedule.set("vector", 2U << random.below(3));
  made.schedule.set("gather", random.one_in(6) ? 1 : 0);
  if (trees) {
    made.schedule.set("tree", 1);
    return made;
  }
  made.schedule.set("private", 1 + random.below(2));
  made.schedule.set("private_groups", 1 + random.below(9));
  return made;
}

Case random_copies(std::uint64_t seed) { return random_counts(seed, false); }
Case random_trees(std::uint64_t seed) { return random_counts(seed, true); }

TEST(PrivateCopies, GiveTheSameBitsOnTheInterpreter) {
  expect_same_bits(random_copies, 2000, 1200);
}

TEST(PrivateCopies, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_copies, 40);
}

TEST(GroupSums, GiveTheSameBitsOnTheInterpreter) { expect_same_bits(random_trees, 2000, 600); }

TEST(GroupSums, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_trees, 40);
}

}  // namespace
}  // namespace vyre::schedule
