// Loops that accumulate, with bounds of every kind, split over workgroups: they give what they
// gave. What they add up are small whole numbers, so that floats give the same bits in every order.
#include <fmt/format.h>

#include <array>

#include "schedule/cases.h"
#include "support/programs.h"
#include "support/random_source.h"

namespace vyre::schedule {
namespace {

using testing::RandomSource;

std::string random_update(RandomSource& random, bool own) {
  constexpr std::array<std::string_view, 5> indices = {"k", "63 - k", "(me + k) % 64", "k * 3 % 64",
                                                       "me * 16 + k % 16"};
  const std::string value =
      fmt::format("(b[{}] & 7i)", own ? indices.back() : random.pick(indices));
  switch (random.below(7)) {
    case 0:
      return fmt::format("sum = sum + f32({})", value);
    case 1:
      return fmt::format("if {} > 2i {{ count = count + {} }}", value, value);
    case 2:
      return fmt::format("least = min(least, f32({}))", value);
    case 3:
      return fmt::format("product = product * ({} | 1i)", value);
    case 4:
      return fmt::format("for t in 0 .. k % 3 {{ wide = wide + f64({}) * f64(t) }}", value);
    case 5:
      return fmt::format("count = select({} > 3i, count - 1i, count)", value);
    default:
      return fmt::format("most = max({}, most)", value);
  }
}

std::string random_loop(RandomSource& random, std::string_view name, bool own) {
  constexpr std::array<std::string_view, 5> begins = {"0", "1", "me % 8", "3", "n - 2"};
  constexpr std::array<std::string_view, 5> ends = {"n", "16", "me % 8 + 2", "n / 2", "61"};
  const bool is_signed = random.one_in(3);
  const auto bound = [&](std::string_view text) {
    return is_signed ? fmt::format("i32({})", text) : std::string(text);
  };
  std::string body;
  for (std::size_t i = 0, count = 1 + random.below(3); i < count; ++i) {
    body += random_update(random, own) + "\n";
  }
  return fmt::format("for {0} in {1} .. {2} {{ let k = u32({0})\n{3} }}\n", name,
                     bound(random.pick(begins)), bound(random.pick(ends)), body);
}

Case random_sums(std::uint64_t seed) {
  constexpr std::array<std::string_view, 5> grids = {"1", "4", "2, 2", "1, 3", "2, 1, 2"};
  RandomSource random(seed);
  std::string body;
  const bool writes = random.one_in(3);  // to what it read, so that nobody else may read it
  if (random.one_in(3)) body += "y[me * 2] = 9.0\n";
  body += random_loop(random, "i", writes);
  if (random.one_in(3)) body += "y[me * 2 + 1] = sum\n";
  if (random.one_in(2)) body += random_loop(random, "j", writes);
  if (writes) body += "for l in 0 .. 9 { b[me * 16 + l] = b[me * 16 + l] + most }\n";
  const std::string text = fmt::format(
      R"(program sums_{} {{
        uniform n: u32 = {}
        buffer b: i32[64] {}
        buffer y: f32[8] read_write
        buffer z: f64[24] write
        grid {}
        workgroup 2
        reassociate
        let me = (invocation.z * grid.y + invocation.y) * grid.x + invocation.x
        var sum = 3.0
        var count = 7i
        var least = f32.nan
        var most = -2i
        var product = 1i
        var wide = 0.5d
        {}
        z[me * 6] = f64(sum)
        z[me * 6 + 1] = f64(count)
        z[me * 6 + 2] = f64(least)
        z[me * 6 + 3] = f64(most)
        z[me * 6 + 4] = f64(product)
        z[me * 6 + 5] = wide
      }})",
      seed, 3 + random.below(58), writes ? "read_write" : "read", random.pick(grids), body);
  Case made{testing::parsed(text), {}};
  made.schedule.set("wg_x", 1 + random.below(2));
  made.schedule.set("sum_groups", 2 + random.below(9));
  if (random.one_in(2)) return made;
  made.schedule.set("contract", random.below(2));
  if (random.one_in(2)) made.schedule.set("loop_vector", 2U << random.below(3));
  made.schedule.set("unroll", 1 + random.below(2));
  made.schedule.set("items_x", 1 + random.below(3));
  made.schedule.set("items_y", 1 + random.below(2));
  made.schedule.set("order", random.below(3));
  return made;
}

class SumsInParts : public ::testing::TestWithParam<std::uint64_t> {};

// As many as the other random programs (make soak).
TEST_P(SumsInParts, GiveTheSameBitsOnTheInterpreter) {
  const std::uint64_t programs = 2 * testing::number_from("VYRE_SCHEDULED_PROGRAMS", 100);
  const auto of_part = [](std::uint64_t seed) { return random_sums(seed * 2 + GetParam()); };
  expect_same_bits(of_part, programs, static_cast<int>(programs / 4));
}

TEST_P(SumsInParts, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  const std::size_t programs = testing::number_from("VYRE_SCHEDULED_PROGRAMS", 100) / 10;
  const auto of_part = [](std::uint64_t seed) { return random_sums(seed * 2 + GetParam()); };
  expect_agreement_on_device(of_part, programs);
}

INSTANTIATE_TEST_SUITE_P(PartOfSums, SumsInParts, ::testing::Values(0, 1));

}  // namespace
}  // namespace vyre::schedule
