#include "schedule/interchange.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "schedule/cases.h"
#include "schedule/schedule_space.h"
#include "support/programs.h"
#include "support/random_source.h"

namespace vyre::schedule {
namespace {

using testing::parsed;
using testing::RandomSource;

std::string around(std::string_view grid, std::string_view arrays, std::string_view statements) {
  return fmt::format(
      "program p {{ uniform m: u32 = 5 buffer a: f32[m * 64] read buffer y: f32[64] read_write {} "
      "grid {} {} }}",
      arrays, grid, statements);
}

void expect_interchanged(std::string_view statements, std::string_view arrays,
                         std::string_view expected) {
  const auto made = interchanged(parsed(around("64", "", statements)), 8);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(around("8", arrays, expected))));
}

TEST(Interchange, PutsItemsInsideLoopsAndVariablesIntoArrays) {
  expect_interchanged(
      "var sum = 0.0 for j in 0 .. m { sum = sum + a[j * 64 + invocation.x] } "
      "y[invocation.x] = sum",
      "private sum_of: f32[8]", R"(
    let first = invocation.x * 8
    for item in 0 .. 8 { sum_of[item] = 0.0 }
    for j in 0 .. m {
      for item_2 in 0 .. 8 { sum_of[item_2] = sum_of[item_2] + a[j * 64 + (first + item_2)] }
    }
    for item_3 in 0 .. 8 { y[first + item_3] = sum_of[item_3] })");
}

TEST(Interchange, KeepsWhatAllItemsShareOnceAndWhatOneGroupUsesInIt) {
  expect_interchanged(
      "let i = invocation.x var rows = 0 for j in 0 .. m { let v = a[j * 64 + i] "
      "y[i] = y[i] + v * v rows = rows + j } if rows > 3 { y[i] = 0.0 }",
      "", R"(
    let first = invocation.x * 8
    let i = first
    var rows = 0
    for j in 0 .. m {
      for item in 0 .. 8 {
        let v = a[j * 64 + (i + item)]
        y[i + item] = y[i + item] + v * v
      }
      rows = rows + j
    }
    if rows > 3 {
      for item_2 in 0 .. 8 { y[i + item_2] = 0.0 }
    })");
}

TEST(Interchange, RefusesWhereNoLoopIsRunAlike) {
  const auto refused = [](std::string_view statements) {
    return interchanged(parsed(around("64", "", statements)), 8).error().message;
  };
  EXPECT_EQ(refused("y[invocation.x] = 1.0"),
            "cannot put 8 items inside loops: no loop is run alike by all items");
  EXPECT_EQ(refused("for j in 0 .. u32(y[invocation.x]) { y[invocation.x] = 1.0 }"),
            "cannot put 8 items inside loops: no loop is run alike by all items");
}

TEST(Interchange, IsChosenOnlyWhereNeighboursReadNeighbouringElementsInALoop) {
  const auto has = [](std::string_view index) {
    const auto space =
        schedule_space(parsed(around("64", "",
                                     fmt::format("var s = 0.0 for j in 0 .. m {{ s = s + a[{}] }} "
                                                 "y[invocation.x] = s",
                                                 index))));
    return std::ranges::find(space.value().parameters, interchange_name, &space::Parameter::name) !=
           space.value().parameters.end();
  };
  EXPECT_TRUE(has("j * 64 + invocation.x"));
  EXPECT_FALSE(has("invocation.x * m + j"));
}

// Sums over columns, triangles and branches, with what is carried from one iteration to the next.
Case random_columns(std::uint64_t seed) {
  constexpr std::array<std::string_view, 6> statements = {
      "for j in 0 .. m { s = s + a[j * w + i] }",
      "for j in 0 .. i % 5 { s = s ^ a[(j % m) * w + i] }",
      "for j in 0 .. i + 1 { s = s * 3 + a[(j % m) * w + i] t = t + s }",
      "for j in 0 .. m { if a[j * w + i] % 3 == 0 { s = s + j } else { t = t + 1 } u = u + j }",
      "if i % 4 != 3 { for j in 0 .. m { let v = a[j * w + i] s = s + v * v } }",
      "for j in 0 .. m { for k in 0 .. 2 { t = t + a[((j + k) % m) * w + i] } s = s ^ t }"};
  constexpr std::array<std::uint32_t, 7> sizes = {1, 2, 3, 8, 13, 37, 64};
  RandomSource random(seed);
  const std::string text = fmt::format(
      R"(program columns_{0} {{
        uniform w: u32 = {1}
        uniform m: u32 = {2}
        buffer a: u32[w * m] read
        buffer y: u32[w] read_write
        buffer z: u32[w] write
        grid w
        workgroup 4
        let i = invocation.x
        var s = y[i]
        var t = i
        var u = m
        {3}
        y[i] = s + u
        {4}
        z[i] = t * 2 + s
      }})",
      seed, random.pick(sizes), 1 + random.below(6), random.pick(statements),
      random.pick(statements));
  Case made{parsed(text), {}};
  made.schedule.set("wg_x", random.pick(std::array{1U, 3U, 4U}));
  made.schedule.set("interchange", random.pick(std::array{2U, 3U, 8U}));
  made.schedule.set("vector", random.pick(std::array{1U, 1U, 2U, 4U}));
  made.schedule.set("unroll", random.pick(std::array{1U, 1U, 2U}));
  made.schedule.set("items_x", random.pick(std::array{1U, 1U, 2U}));
  made.schedule.set("order", random.below(3));
  return made;
}

TEST(InterchangeAgreement, GivesTheSameBitsOnTheInterpreter) {
  expect_same_bits(random_columns, 600, 400);
}

TEST(InterchangeAgreement, AgreesOnTheDevice) { expect_agreement_on_device(random_columns, 24); }

}  // namespace
}  // namespace vyre::schedule
