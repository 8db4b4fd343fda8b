#include "schedule/champions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "schedule/cases.h"
#include "schedule/loop_lanes.h"
#include "support/programs.h"
#include "support/random_source.h"

namespace vyre::schedule {
namespace {

using testing::parsed;
using testing::RandomSource;

std::string refusal_of(std::string_view loop) {
  const auto made = with_loop_lanes(parsed(fmt::format(R"(program p {{
    buffer x: f32[64] read
    buffer out: f32[64] write
    var best = 0.0
    var at = 0
    for i in 0 .. 64 {{ {} }}
    out[0] = best + f32(at)
  }})",
                                                       loop)),
                                    {.width = 4});
  return made ? "not refused" : made.error().message;
}

TEST(Champions, AreLookedForByAllLanesAndTheFirstOfEqualsCounts) {
  const auto made = with_loop_lanes(parsed(R"(program p {
    buffer x: i32[8] read
    buffer out: u32[1] write
    var best = x[0]
    var at = 0
    for i in 0 .. 8 { if x[i] > best { best = x[i]  at = i } }
    out[0] = at
  })"),
                                    {.width = 2});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program p {
    buffer x: i32[8] read
    buffer out: u32[1] write
    var best = x[0]
    var at = 0
    var best_2 = splat2(best)
    var best_place_2 = splat2(4294967295)
    var at_2 = splat2(at)
    for i_2 in 0 .. 8 step 2 {
      let i_3 = i_2
      let value_2 = x[i_3 : 2]
      let mask = value_2 > best_2
      best_2 = select(mask, value_2, best_2)
      at_2 = select(mask, splat2(i_3) + [0, 1], at_2)
      best_place_2 = select(mask, splat2(i_3) + [0, 1], best_place_2)
    }
    let top = max(best_2)
    let place = min(select(best_2 == splat2(top), best_place_2, splat2(4294967295)))
    if best_place_2.0 == place { best = best_2.0  at = at_2.0 }
    if best_place_2.1 == place { best = best_2.1  at = at_2.1 }
    out[0] = at
  })")));
}

TEST(Champions, AreNoneWhereTheLoopDoesMoreWithThem) {
  EXPECT_EQ(refusal_of("if x[i] > best { best = x[i]  at = i }"), "not refused");
  EXPECT_EQ(refusal_of("if best < x[i] { best = x[i] }"), "not refused");
  for (const std::string_view loop :
       {"if x[i] > best { best = x[i]  at = i } else { at = at + 1 }",
        "if x[i] > best { best = x[i]  at = at + 1 }", "if x[i] > best { best = x[63 - i] }",
        "if x[i] > best { best = x[i] }  at = u32(best)", "if x[i] == best { best = x[i] }",
        "if x[i] > best { at = i }"}) {
    EXPECT_NE(refusal_of(loop), "not refused") << loop;
  }
}

// Few values, so that many are equal; some are nan; the best may be there before the loop.
Case random_champions(std::uint64_t seed) {
  constexpr std::array<std::string_view, 4> orders = {">", ">=", "<", "<="};
  constexpr std::array<std::string_view, 3> values = {
      "f32(x[row * n + i] % 5)", "select(x[row * n + i] % 7 == 0, sqrt(-1.0), f32(x[i] % 3) - 1.0)",
      "-f32(i % 2) * f32(x[row * n + i] % 2)"};
  constexpr std::array<std::string_view, 4> starts = {"0.0", "-100.0", "100.0", "sqrt(-1.0)"};
  RandomSource random(seed);
  const std::string_view value = random.pick(values);
  const std::string test = random.one_in(2) ? fmt::format("v {} best", random.pick(orders))
                                            : fmt::format("best {} v", random.pick(orders));
  const bool is_signed = random.one_in(3);
  const std::string text = fmt::format(
      R"(program champions_{} {{
        uniform n: u32 = {}
        buffer x: u32[n * 3] read
        buffer out: f32[12] write
        grid 3
        let row = invocation.x
        var best = {}
        var at = 77{}
        var half = 0.5
        var count = 0
        for {} {{
          {}
          let v = {}
          count = count + u32(v > 0.0)
          if {} {{ best = v  at = {}  half = v * 0.5 }}
        }}
        out[row * 4] = best
        out[row * 4 + 1] = f32(at)
        out[row * 4 + 2] = half
        out[row * 4 + 3] = f32(count)
      }})",
      seed, 1 + random.below(80), random.pick(starts), is_signed ? "i" : "",
      is_signed ? "j in i32(0) .. i32(n)" : "j in 0 .. n", "let i = u32(j)", value, test, "j + j");
  Case made{parsed(text), {}};
  constexpr std::array<std::uint32_t, 4> widths = {2, 4, 8, 16};
  made.schedule.set("loop_vector", random.pick(widths));
  made.schedule.set("loop_parts", 1 + random.below(4));
  made.schedule.set("unroll", 1 + random.below(2));
  return made;
}

TEST(Champions, GiveTheSameBitsOnTheInterpreter) { expect_same_bits(random_champions, 400, 200); }

TEST(Champions, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_champions, 15);
}

}  // namespace
}  // namespace vyre::schedule
