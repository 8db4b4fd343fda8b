#include "schedule/sweep.h"

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

// With one loop for both, as one would write it.
constexpr auto both = R"(program both {
  uniform n: u32 = 37
  buffer a: f32[n * n] read
  buffer p: f32[n] read
  buffer r: f32[n] read
  buffer q: f32[n] write
  buffer s: f32[n] write
  grid n
  reassociate
  let i = invocation.x
  var along = 0.0
  var across = 0.0
  for j in 0 .. n {
    along = along + a[i * n + j] * p[j]
    across = across + a[j * n + i] * r[j]
  }
  q[i] = along
  s[i] = across
})";

TEST(Sweep, ReadsTheMatrixOnceForRowsAndColumns) {
  const auto made = scheduled_as(parsed(both), "sweep_groups=4 wg_x=1");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(ir::print(*made), R"(program both {
  uniform n: u32 = 37
  buffer a: f32[n * n] read
  buffer p: f32[n] read
  buffer r: f32[n] read
  buffer q: f32[n] write
  buffer s: f32[n] write
  scratch partial: f32[n * 4]
  grid 4
  workgroup 1
  reassociate

  let share = n / 4
  let first = invocation.x * share
  let base = invocation.x * n
  for column in 0 .. n {
    partial[base + column] = 0.0
  }
  for row in first .. select(invocation.x == 3, n, first + share) {
    let i = row
    var along = 0.0
    for j in 0 .. n {
      along = along + a[i * n + j] * p[j]
      let i_2_2 = j
      var across_2_2 = partial[base + j]
      across_2_2 = across_2_2 + a[row * n + i_2_2] * r[row]
      partial[base + j] = across_2_2
    }
    q[i] = along
  }

  then grid n workgroup 64 {
    let i_2 = invocation.x
    var across_2 = 0.0
    for group_2 in 0 .. 4 {
      across_2 = across_2 + partial[group_2 * n + invocation.x]
    }
    s[i_2] = across_2
  }
}
)");
}

TEST(Sweep, TakesTheColumnsFirstOrLast) {
  const ir::Program program = parsed(R"(program p {
    uniform n: u32 = 20
    buffer a: u32[n * n] read
    buffer x: u32[n] read_write
    buffer y: u32[n] read_write
    grid n
    let k = invocation.x * 3
    var t = 0
    for j in 0 .. n { t = t + a[j * n + invocation.x] * k * j }
    y[invocation.x] = y[invocation.x] + t
    var u = 5
    for j in 0 .. n { u = max(u, a[invocation.x * n + j]) }
    x[invocation.x] = x[invocation.x] + u
  })");
  const auto made = scheduled_as(program, "sweep_groups=3");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->then.size(), 1U);
  EXPECT_EQ(left_by_interpreter(*made), left_by_interpreter(program)) << print(*made);
}

std::string why_not_swept(std::string_view statements) {
  const auto made = sweep_stages(parsed(fmt::format(R"(program p {{
    uniform n: u32 = 8
    buffer a: u32[n * n] read
    buffer f: f32[n * n] read
    buffer q: u32[n] write
    buffer s: u32[n] write
    buffer t: f32[n] write
    grid n
    let i = invocation.x
    {}
  }})",
                                                    statements)),
                                 2);
  return made ? "it is legal" : made.error().message;
}

TEST(Sweep, SaysWhyItIsRefused) {
  constexpr std::string_view cannot = "cannot pass over rows and columns at once: ";
  const std::string rows = "var u = 0 for j in 0 .. n { u = u + a[i * n + j] } q[i] = u ";
  EXPECT_EQ(why_not_swept(rows + "var v = 0 for j in 0 .. n { v = v + a[j * n + i] } s[i] = v"),
            "it is legal");
  EXPECT_EQ(why_not_swept(rows),
            "cannot schedule two parts apart: no output is independent of the others");
  EXPECT_EQ(why_not_swept(rows + "var v = 0 for j in 0 .. n { v = v + a[i * n + j] } s[i] = v"),
            fmt::format("{}it does not have a part for rows and one for columns", cannot));
  EXPECT_EQ(
      why_not_swept(rows + "var v = 0 for j in 1 .. n { v = v + a[j * n + i] } s[i] = v"),
      fmt::format("{}its two parts have no loops over the invocations of each other", cannot));
  EXPECT_EQ(why_not_swept(rows + "var v = 0 for j in 0 .. n { v = max(v, a[j * n + i]) } s[i] = v"),
            fmt::format("{}'v' is no sum", cannot));
  EXPECT_EQ(
      why_not_swept(rows + "var v = 0.0 for j in 0 .. n { v = v + f[j * n + i] } t[i] = v"),
      fmt::format("{}'v' is a sum of floats, and the program does not say that order does not "
                  "matter (`reassociate`)",
                  cannot));
  EXPECT_EQ(
      why_not_swept(rows + "var w = 1 w = 2 var v = 0 for j in 0 .. n { v = v + a[j * n + i] * w } "
                           "s[i] = v"),
      fmt::format("{}the loop over 'j_2' needs more than values that are named before it", cannot));
  EXPECT_EQ(sweep_stages(parsed(both), 1).error().message,
            fmt::format("{}there are from 2 to 65536 groups of rows", cannot));
}

TEST(Sweep, HasSpacesInWhichAllIsLegal) {
  expect_legal_stages(parsed(both), {{"n", {Scalar::u32, 2048}}}, sweep_name, 1000, 10);
}

TEST(Sweep, IsOfferedForLargeMatricesOnly) {
  const auto offered = [](std::uint32_t n) {
    return is_offered(parsed(both), {{"n", {Scalar::u32, n}}}, sweep_name);
  };
  EXPECT_FALSE(offered(512));
  EXPECT_TRUE(offered(1024));
}

// Programs of rows and columns. What they add up are small whole numbers, so that floats give the
// same bits in every order.
Case random_sweep(std::uint64_t seed) {
  constexpr std::array<std::string_view, 4> of_rows = {
      "u = u + f32(a[i * n + j] & 7)", "u = max(u, f32(a[i * n + j] & 31) - c)",
      "if a[i * n + j] > 100 { u = u + 1.0 }", "u = fma(f32(a[i * n + j] & 3), f32(b[j] & 3), u)"};
  constexpr std::array<std::string_view, 5> of_columns = {
      "v = v + f32(a[j * n + i] & 7)", "if (a[j * n + i] & 1) == 0 { v = v + 2.0 }",
      "let k = a[j * n + i] & 15 v = v + f32(k) * d w = w + k",
      "v = v - f32((a[j * n + i] + b[j]) & 3)", "for t in 0 .. j % 3 { v = v + f32(b[i] & t) }"};
  RandomSource random(seed);
  const std::string rows =
      fmt::format("var u = 1.0 for j in 0 .. n {{ {} }} q[i] = u\n", random.pick(of_rows));
  const std::string columns =
      fmt::format("var v = 0.5 var w = 0 for j in 0 .. n {{ {} }} s[i] = v + f32(w & 255)\n",
                  random.pick(of_columns));
  const bool rows_first = random.one_in(2);
  const std::string text = fmt::format(R"(program sweep_{} {{
      uniform n: u32 = {}
      buffer a: u32[n * n] read
      buffer b: u32[n] read
      buffer q: f32[n] write
      buffer s: f32[n] read_write
      grid n
      workgroup 4
      reassociate
      let i = invocation.x
      let c = f32(b[i] & 1)
      let d = c + 1.0
      {}{}
    }})",
                                       seed, 2 + random.below(40), rows_first ? rows : columns,
                                       rows_first ? columns : rows);
  Case made{parsed(text), {}};
  made.schedule.set("wg_x", 1 + random.below(2));
  made.schedule.set(sweep_name, 2 + random.below(9));
  if (random.one_in(2)) return made;
  made.schedule.set("contract", random.below(2));
  if (random.one_in(2)) made.schedule.set("loop_vector", 2U << random.below(3));
  made.schedule.set("unroll", 1 + random.below(2));
  made.schedule.set("items_x", 1 + random.below(3));
  made.schedule.set("order", random.below(3));
  return made;
}

class Sweeps : public ::testing::TestWithParam<std::uint64_t> {};

// As many as the other random programs (make soak).
TEST_P(Sweeps, GiveTheSameBitsOnTheInterpreter) {
  const std::uint64_t programs = testing::number_from("VYRE_SCHEDULED_PROGRAMS", 100);
  const auto of_part = [](std::uint64_t seed) { return random_sweep(seed * 2 + GetParam()); };
  expect_same_bits(of_part, programs, static_cast<int>(programs / 2));
}

TEST_P(Sweeps, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  const std::size_t programs = testing::number_from("VYRE_SCHEDULED_PROGRAMS", 100) / 10;
  const auto of_part = [](std::uint64_t seed) { return random_sweep(seed * 2 + GetParam()); };
  expect_agreement_on_device(of_part, programs);
}

INSTANTIATE_TEST_SUITE_P(PartOfSweeps, Sweeps, ::testing::Values(0, 1));

}  // namespace
}  // namespace vyre::schedule
