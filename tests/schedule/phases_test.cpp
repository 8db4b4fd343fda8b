#include "schedule/phases.h"

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

std::string with_two_phases(std::string_view body, std::uint32_t phases = 2) {
  const auto made = with_phases(parsed(fmt::format(R"(program p {{
    buffer a: f32[64] read
    buffer out: f32[64] write
    grid 64
    let x = invocation.x
    {}
  }})",
                                                   body)),
                                phases);
  return made ? print(*made) : made.error().message;
}

TEST(Phases, MakeQuotientsAndRemaindersSimple) {
  EXPECT_EQ(with_two_phases("out[x] = a[x / 2] * f32(x % 2)"), print(parsed(R"(program p {
    buffer a: f32[64] read
    buffer out: f32[64] write
    grid 32
    let first = invocation.x * 2
    let x = first
    out[x] = a[invocation.x] * f32(0)
    out[x + 1] = a[invocation.x] * f32(1)
  })")));
}

// Before the first item there is nothing to divide.
TEST(Phases, AreTestedForWhereTheyReachBeforeTheFirstItem) {
  const std::string made = with_two_phases("out[x] = a[((x - 1) & 63) / 2]");
  EXPECT_EQ(
      made,
      "cannot give each invocation 2 items in x: no quotient or remainder of an item's number "
      "becomes simpler");
  const std::string shifted = with_two_phases("out[x] = a[min((x - 1) >> 1, 63)]");
  EXPECT_NE(shifted.find("if first >= 1 {"), std::string::npos) << shifted;
  EXPECT_NE(shifted.find("out[x] = a[min(invocation.x + 4294967295, 63)]"), std::string::npos)
      << shifted;
  EXPECT_NE(shifted.find("for item in first .. first + 2"), std::string::npos) << shifted;
}

TEST(Phases, FollowFloatsThatAreExact) {
  const std::string made =
      with_two_phases("let fx = max(f32(x) * 0.5 - 0.25, 0.0)\n out[x] = a[u32(fx)]");
  EXPECT_NE(made.find("if first <= 1048576 & first >= 1 {"), std::string::npos) << made;
  EXPECT_NE(made.find("out[x] = a[invocation.x + 4294967295]"), std::string::npos) << made;
  EXPECT_NE(made.find("out[x + 1] = a[invocation.x]"), std::string::npos) << made;
}

TEST(Phases, AreRefusedWhereFloatsRoundOrItemsDoNotDivide) {
  constexpr std::string_view none = "no quotient or remainder of an item's number becomes simpler";
  for (const std::string_view body :
       {"out[x] = a[u32(f32(x) * 0.4)]", "out[x] = a[u32(f32(x) * 0.5 + 1e-9)]",
        "out[x] = a[x / 3]", "out[x] = a[x / 128]", "out[x] = a[u32(f32(x) * 0.25)]"}) {
    EXPECT_NE(with_two_phases(body).find(none), std::string::npos) << body;
  }
}

// Halves, thirds and quarters of the place and around it, by integers and by floats.
Case random_phases(std::uint64_t seed) {
  constexpr std::array<std::string_view, 12> indices = {"x / 2",
                                                        "x % 3 + x / 3",
                                                        "(x + 1) >> 1",
                                                        "(x + 7) / 4 + x % 2",
                                                        "u32(max(f32(x) * 0.5 - 0.25, 0.0))",
                                                        "u32(f32(x) / 4.0 + 0.75)",
                                                        "min(u32(floor(f32(x) * 0.25 + 1.5)), n)",
                                                        "u32(max(f32(i32(x)) * 0.5 - 1.5, 0.0))",
                                                        "u32(i32(fma(f32(x + 2), 0.5, -0.5)))",
                                                        "max(x, 3) - 3",
                                                        "min((x - 1) / 2, n)",
                                                        "((x - 5) & 3)"};
  RandomSource random(seed);
  const std::string text = fmt::format(
      R"(program phases_{} {{
        uniform n: u32 = {}
        uniform m: u32 = {}
        buffer a: f32[200] read
        buffer out: f32[n * m] read_write
        grid n, m
        let x = invocation.x
        let y = invocation.y
        let at = {}
        let next = min({} + 1, 150)
        var s = a[at + y / 2]
        if next % 2 == 0 {{ s = s + a[next] }}
        out[y * n + x] = s * f32(x % 2) + a[(y + 1) / 2] + out[y * n + x]
      }})",
      seed, 1 + random.below(120), 1 + random.below(4), random.pick(indices), random.pick(indices));
  Case made{parsed(text), {}};
  made.schedule.set("phases", 2 + random.below(3));
  if (random.one_in(2)) made.schedule.set("inside", 1);
  constexpr std::array<std::uint32_t, 5> widths = {1, 2, 4, 8, 16};
  made.schedule.set("vector", random.pick(widths));
  made.schedule.set("items_x", 1 + random.below(2));
  made.schedule.set("items_y", 1 + random.below(3));
  made.schedule.set("order", random.below(3));
  return made;
}

TEST(Phases, GiveTheSameBitsOnTheInterpreter) { expect_same_bits(random_phases, 600, 200); }

TEST(Phases, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_phases, 15);
}

}  // namespace
}  // namespace vyre::schedule
