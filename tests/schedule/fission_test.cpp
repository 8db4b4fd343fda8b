#include "schedule/fission.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "schedule/cases.h"
#include "schedule/schedule_space.h"
#include "schedule/slice.h"
#include "support/device.h"
#include "support/programs.h"
#include "support/random_source.h"
#include "vyre/space/enumerate.h"

namespace vyre::schedule {
namespace {

using testing::parsed;
using testing::RandomSource;

constexpr std::string_view rows_and_columns = R"(program both {
  uniform n: u32 = 8
  buffer a: u32[n * n] read
  buffer x: u32[n] read
  buffer rows: u32[n] write
  buffer columns: u32[n] write
  grid n
  let i = invocation.x
  var along = 0
  var across = 0
  for j in 0 .. n {
    along = along + a[i * n + j] * x[j]
    across = across + a[j * n + i]
  }
  rows[i] = along
  columns[i] = across
})";

std::vector<Outputs> outputs_of(std::string_view statements) {
  return independent_outputs(parsed(fmt::format(
      "program p {{ buffer x: u32[64] read buffer y: u32[64] read_write buffer z: u32[64] "
      "read_write grid 64 let i = invocation.x {} }}",
      statements)));
}

TEST(Slice, OutputsThatShareOnlyInputsAreIndependent) {
  EXPECT_EQ(outputs_of("let v = x[i] * 2 y[i] = v z[i] = v + 1"),
            (std::vector<Outputs>{{"y"}, {"z"}}));
}

TEST(Slice, AnOutputThatReadsAnotherBelongsToIt) {
  EXPECT_EQ(outputs_of("y[i] = x[i] z[i] = y[i] + 1"), (std::vector<Outputs>{{"y", "z"}}));
  EXPECT_EQ(outputs_of("z[i] = x[i] y[i] = z[i] + 1"), (std::vector<Outputs>{{"y", "z"}}));
}

TEST(Slice, AnOutputThatIsOnlyReadByItselfStandsAlone) {
  EXPECT_EQ(outputs_of("y[i] = y[i] + 1 z[i] = z[i] * 2"), (std::vector<Outputs>{{"y"}, {"z"}}));
}

TEST(Slice, KeepsWhatAnOutputNeedsAndNothingElse) {
  EXPECT_EQ(print(slice_of(parsed(rows_and_columns), {"columns"})), print(parsed(R"(program both {
    uniform n: u32 = 8
    buffer a: u32[n * n] read
    buffer columns: u32[n] write
    grid n
    let i = invocation.x
    var across = 0
    for j in 0 .. n {
      across = across + a[j * n + i]
    }
    columns[i] = across
  })")));
}

TEST(Fission, PartsWithTheirOwnSchedulesShareALaunch) {
  const auto made =
      apply(parsed(rows_and_columns), parse_schedule("wg_x=4 fission=1 items_x_2=2").value());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program both {
    uniform n: u32 = 8
    buffer a: u32[n * n] read
    buffer x: u32[n] read
    buffer rows: u32[n] write
    buffer columns: u32[n] write
    grid max(n, (n + 1) / 2), 2
    workgroup 4
    if invocation.y == 0 {
      if invocation.x < n {
        let i = invocation.x
        var along = 0
        for j in 0 .. n {
          along = along + a[i * n + j] * x[j]
        }
        rows[i] = along
      }
    } else if invocation.x < (n + 1) / 2 {
      let first = invocation.x * 2
      for item in first .. min(first + 2, n) {
        let i = item
        var across = 0
        for j in 0 .. n {
          across = across + a[j * n + i]
        }
        columns[i] = across
      }
    }
  })")));
}

TEST(Fission, RefusesOutputsThatNeedEachOtherAndGridsWithoutAFreeDimension) {
  const auto needed =
      parts_of(parsed("program p { buffer y: u32[8] read_write buffer z: u32[8] write grid 8 "
                      "y[invocation.x] = 1 z[invocation.x] = y[invocation.x] }"));
  ASSERT_FALSE(needed);
  EXPECT_EQ(needed.error().message,
            "cannot schedule two parts apart: no output is independent of the others");
  const auto full = apply(parsed("program p { buffer y: u32[8] write buffer z: u32[8] write grid "
                                 "2, 2, 2 let i = invocation.x + 2 * invocation.y + 4 * "
                                 "invocation.z y[i] = 1 z[i] = 2 }"),
                          parse_schedule("fission=1").value());
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().message,
            "cannot run two parts side by side: the grid has three dimensions already");
}

TEST(Fission, EveryConfigurationOfItsSpaceIsLegal) {
  const ir::Program program = parsed(rows_and_columns);
  const auto made =
      space::enumerate(schedule_space(program, {}, {{"n", {Scalar::u32, 64}}}).value());
  ASSERT_TRUE(made);
  std::size_t split = 0;
  for (space::Index i = 0; i < made->space.size(); i += 97) {
    const Schedule schedule = schedule_of(program, made->space, i);
    if (is_split(schedule)) ++split;
    const auto applied = apply(program, schedule);
    EXPECT_TRUE(applied) << to_string(schedule) << applied.error().message;
  }
  EXPECT_GT(split, 50U);
}

TEST(Fission, ParametersOfTheSecondPartAreLikeThoseOfTheFirst) {
  for (const Parameter& second : fission_step.parameters.subspan(1)) {
    const auto first = std::ranges::find(
        parameters(), second.name.substr(0, second.name.size() - 2), &Parameter::name);
    ASSERT_NE(first, parameters().end()) << second.name;
    EXPECT_EQ(first->initial, second.initial) << second.name;
    EXPECT_EQ(first->words.size(), second.words.size()) << second.name;
  }
}

TEST(Fission, BeginsWithWhatWasGoodForProgramsThatAreLikeTheParts) {
  Features near_zero, near_one;
  near_one.values.fill(1);
  const std::vector<Example> examples = {
      {"zero", 3, near_zero, parse_configuration("wg_x=8 vector=16 private=group").value()},
      {"one", 2, near_one, parse_configuration("wg_x=2 loop_vector=4").value()}};
  const auto made = split_examples({}, std::array{near_one, near_zero}, examples, 1);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].configuration,
            parse_configuration("fission=1 wg_x=2 loop_vector=4 vector_2=16").value());
}

// Two or three outputs over a grid of one or two dimensions, some of which need each other.
Case random_outputs(std::uint64_t seed) {
  constexpr std::array<std::string_view, 2> to_a = {"a[i] = x[i] + grid.x",
                                                    "if i % 3 > 0 { a[i] = a[i] * 3 }"};
  constexpr std::array<std::string_view, 2> to_b = {
      "var s = 1 for k in 0 .. w { s = s + x[(k * 3 + i) % count] } b[i] = s",
      "b[i] = b[i] ^ invocation.x"};
  constexpr std::array<std::string_view, 3> to_c = {
      "var t = 0 for k in 0 .. 5 { t = t + x[i] * k c[i] = t }",
      "if x[i] % 2 == 0 { c[i] = a[i] } else { c[i] = 7 }", "c[i] = x[i] * grid.y"};
  constexpr std::array<std::uint32_t, 7> sizes = {1, 2, 3, 5, 8, 13, 37};
  RandomSource random(seed);
  const std::uint32_t w = random.pick(sizes), h = random.one_in(2) ? 1 : random.pick(sizes);
  const std::string text = fmt::format(
      R"(program outputs_{0} {{
        uniform w: u32 = {1}
        uniform count: u32 = {2}
        buffer x: u32[count] read
        buffer a: u32[count] read_write
        buffer b: u32[count] read_write
        buffer c: u32[count] read_write
        grid w, {3}
        workgroup 4
        let i = invocation.y * w + invocation.x
        {4} {5} {6}
      }})",
      seed, w, w * h, h, random.pick(to_a), random.pick(to_b), random.pick(to_c));
  Case made{parsed(text), {}};
  made.schedule.set("fission", 1U);
  made.schedule.set("wg_x", random.pick(std::array{1U, 3U, 4U}));
  for (const std::string end : {"", "_2"}) {
    made.schedule.set("items_x" + end, random.pick(std::array{1U, 2U, 3U}));
    made.schedule.set("items_y" + end, random.pick(std::array{1U, 1U, 2U}));
    made.schedule.set("order" + end, random.below(3));
    made.schedule.set("unroll" + end, random.pick(std::array{1U, 2U}));
    made.schedule.set("vector" + end, random.pick(std::array{1U, 2U, 4U}));
  }
  return made;
}

TEST(FissionAgreement, GivesTheSameBitsOnTheInterpreter) {
  expect_same_bits(random_outputs, 400, 100);
}

TEST(FissionAgreement, AgreesOnTheDevice) { expect_agreement_on_device(random_outputs, 60); }

}  // namespace
}  // namespace vyre::schedule
