// Loops that accumulate and store, with bounds of every kind, as lanes: they give what they gave.
// What they add up are small whole numbers, so that floats give the same bits in every order.
#include <fmt/format.h>

#include <array>

#include "schedule/cases.h"
#include "support/programs.h"
#include "support/random_source.h"

namespace vyre::schedule {
namespace {

using testing::RandomSource;

std::string random_value(RandomSource& random) {
  constexpr std::array<std::string_view, 7> indices = {
      "row * 16 + k", "k", "63 - k", "(row + k) % 64", "row", "k * 3 % 64", "k + 1"};
  const std::string_view index = random.pick(indices);
  return random.one_in(3) ? fmt::format("f32(b[{}] & 7i)", index)
                          : fmt::format("f32(i32(8.0 * a[{}]))", index);
}

std::string random_statement(RandomSource& random) {
  const std::string value = random_value(random);
  switch (random.below(8)) {
    case 0:
      return fmt::format("sum = sum + {}", value);
    case 1:
      return fmt::format("sum = {} + (sum - {})", value, random_value(random));
    case 2:
      return fmt::format("sum = fma({}, {}, sum)", value, random_value(random));
    case 3:
      return fmt::format("least = min(least, {})", value);
    case 4:
      return fmt::format("if {} > 2.0 {{ count = count + u32(k) }}", value);
    case 5:
      return fmt::format("y[row * 16 + u32(k)] = y[row * 16 + u32(k)] + {}", value);
    case 6:
      return fmt::format("sum = select({} > {}, sum + {}, sum)", value, random_value(random),
                         random_value(random));
    default:
      return fmt::format("most = max({}, most)", value);
  }
}

// Every index stays below 64; the variable is u32 or i32.
Case random_loops(std::uint64_t seed) {
  constexpr std::array<std::string_view, 5> begins = {"0", "1", "row", "3", "n - 2"};
  constexpr std::array<std::string_view, 5> ends = {"n", "16", "row + 2", "n - row", "11"};
  RandomSource random(seed);
  const bool is_signed = random.one_in(3);
  const auto bound = [&](std::string_view text) {
    return is_signed ? fmt::format("i32({})", text) : std::string(text);
  };
  std::string body;
  for (std::size_t i = 0, count = 1 + random.below(4); i < count; ++i) {
    body += random_statement(random) + "\n";
  }
  std::string text = fmt::format(
      R"(program loops_{} {{
        uniform n: u32 = {}
        buffer a: f32[64] read
        buffer b: i32[64] read
        buffer y: f32[64] read_write
        buffer z: f32[16] write
        grid 4
        workgroup 2
        reassociate
        let row = invocation.x
        var sum = 3.0
        var count = 7
        var least = f32.nan
        var most = -2.0
        for j in {} .. {} {{ let k = u32(j)
{} }}
        z[row * 4] = sum
        z[row * 4 + 1] = f32(count)
        z[row * 4 + 2] = least
        z[row * 4 + 3] = most
      }})",
      seed, 3 + random.below(14), bound(random.pick(begins)), bound(random.pick(ends)), body);
  Case made{testing::parsed(text), {}};
  made.schedule.set("wg_x", 2);
  made.schedule.set("contract", random.below(2));
  made.schedule.set("loop_vector", 2U << random.below(3));
  made.schedule.set("loop_parts", 1 + random.below(3));
  made.schedule.set("unroll", 1 + random.below(2));
  made.schedule.set("items_x", 1 + random.below(3));
  made.schedule.set("order", random.below(3));
  return made;
}

// A row and a column of one matrix: lanes along the one loop, along x for the other.
Case rows_and_columns(std::uint64_t seed) {
  RandomSource random(seed);
  const std::string text = fmt::format(
      R"(program both_{0} {{
        uniform n: u32 = {1}
        buffer a: i32[n * n] read
        buffer y: f32[n * 2] write
        grid n
        reassociate
        let i = invocation.x
        var rows = f32(i)
        var columns = 1.0
        for k in 0 .. n {{ {2} }}
        for k in {3} .. n {{ columns = columns + f32(a[k * n + i] & 7i) }}
        y[i] = rows
        y[n + i] = columns
      }})",
      seed, 5 + random.below(40),
      random.one_in(2) ? "rows = rows + f32(a[i * n + k] & 7i)"
                       : "rows = max(f32(a[i * n + k] & 7i), rows)",
      random.below(3));
  Case made{testing::parsed(text), {}};
  made.schedule.set("loop_vector", 2U << random.below(3));
  made.schedule.set("loop_parts", 1 + random.below(2));
  made.schedule.set("vector", 2U << random.below(3));
  made.schedule.set("items_x", 1 + random.below(3));
  made.schedule.set("order", random.below(3));
  return made;
}

TEST(LoopsOfBothKinds, GiveTheSameBitsOnTheInterpreter) {
  expect_same_bits(rows_and_columns, 200, 200);
}

TEST(LoopsOfBothKinds, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(rows_and_columns, 6);
}

TEST(LoopsInLanes, GiveTheSameBitsOnTheInterpreter) { expect_same_bits(random_loops, 1500, 150); }

TEST(LoopsInLanes, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_loops, 20);
}

}  // namespace
}  // namespace vyre::schedule
