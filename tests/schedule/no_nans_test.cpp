#include "schedule/no_nans.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "schedule/cases.h"
#include "schedule/schedule_space.h"
#include "support/programs.h"
#include "support/random_program.h"
#include "support/random_schedule.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

std::string program_text(std::string_view statements) {
  return fmt::format(R"(program p {{
  uniform limit: f32 = 0.5
  buffer x: f32[18] read
  buffer y: f32[16] read_write
  private v: f32[2]
  grid 16

  let i = invocation.x
  {}
}})",
                     statements);
}

std::string without_nans_text(std::string_view statements) {
  const auto made = without_nans(parsed(program_text(statements)));
  if (!made) return made.error().message;
  const std::string text = print(*made);
  const std::string_view before = "workgroup 64\n\n  ";
  return text.substr(text.find(before) + before.size());
}

constexpr auto clamped_in_order = R"(v[0] = x[i]
  v[1] = x[i + 1]
  let low = min(v[0], v[1])
  let high = max(v[0], v[1])
  y[i] = min(high, max(low, min(low, -high)))
  y[i] = max(min(low, limit), high))";

TEST(NoNans, ARunningMinimumThatBeginsWithANumberIsOne) {
  EXPECT_EQ(without_nans_text(R"(var least = f32.inf
  for j in 0 .. 16 {
    least = min(least, x[j] * 2.0)
  }
  y[i] = least)"),
            R"(let i = invocation.x
  var least = f32.inf
  for j in 0 .. 16 {
    let value = x[j] * 2.0
    least = select(value < least, value, least)
  }
  y[i] = least
}
)");
}

TEST(NoNans, WhatIsLoadedIsTakenForNumbersAndLookedAt) {
  EXPECT_EQ(without_nans_text(R"(let a = x[i]
  let low = min(a, limit)
  y[i] = max(low, max(a, limit)))"),
            R"(var loaded = 0.0
  let i = invocation.x
  let value = x[i]
  loaded = loaded + value
  let a = value
  let low = select(limit < a, limit, a)
  let value_2 = select(limit > a, limit, a)
  y[i] = select(low > value_2, low, value_2)
  if loaded != loaded {
    let i_2 = invocation.x
    let a_2 = x[i_2]
    let low_2 = min(a_2, limit)
    y[i_2] = max(low_2, max(a_2, limit))
  }
}
)");
}

// With nans and infinities of both signs among the numbers.
testing::Content content_with_nans(const ir::Program& program) {
  constexpr std::array strange = {std::numeric_limits<float>::quiet_NaN(),
                                  std::numeric_limits<float>::infinity(),
                                  -std::numeric_limits<float>::infinity()};
  testing::Content content = content_of(program);
  const std::size_t count = content[0].size() / sizeof(float);
  for (std::size_t i = 0; i < count; i += 3) {
    std::memcpy(content[0].data() + i * sizeof(float), &strange[i / 3 % strange.size()],
                sizeof(float));
  }
  return content;
}

// Minima and maxima of what is loaded and computed, in loops and branches too.
Case random_network(std::uint64_t seed) {
  RandomSource random(seed);
  std::vector<std::string> values = {"limit", "0.25", "a", "b"};
  const auto value = [&] {
    const std::string one = random.pick(values);
    constexpr std::array forms = {"{}", "{}", "{}", "{}", "-{}", "-{}", "v[0]", "v[1]", "sqrt({})"};
    return fmt::format(fmt::runtime(random.pick(forms)), one);
  };
  const auto extreme = [&] {
    return fmt::format("{}({}, {})", random.one_in(2) ? "min" : "max", value(), value());
  };
  std::string statements =
      "let a = x[i]\n  let b = x[i + 1]\n  v[0] = a\n  v[1] = b\n  var best = 0.75";
  values.emplace_back("best");
  for (std::uint32_t i = 0; i < 6 + random.below(12); ++i) {
    const std::string name = fmt::format("t{}", i);
    statements += fmt::format("\n  let {} = {}", name, extreme());
    values.push_back(name);
    if (random.one_in(4)) statements += fmt::format("\n  v[{}] = {}", random.below(2), extreme());
    if (random.one_in(4)) {
      statements += fmt::format("\n  for j in 0 .. 2 {{ best = max(best, {} + b) }}", value());
    }
    if (random.one_in(4)) statements += fmt::format("\n  if i % 3 == 0 {{ best = {} }}", extreme());
  }
  statements += fmt::format("\n  y[i] = min({}, best)", values.back());
  Case made{parsed(program_text(statements)), {}};
  made.schedule.set("wg_x", 4);
  made.schedule.set("no_nans", 1);
  made.schedule.set("vector", 1U << random.below(4));
  made.schedule.set("items_x", 1 + random.below(2));
  made.schedule.set("order", random.below(3));
  return made;
}

TEST(NoNans, GiveTheSameBitsOnTheInterpreter) { expect_same_bits(random_network, 400, 300); }

TEST(NoNans, GiveTheSameBitsOfNansToo) {
  int repeated = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Case from = random_network(seed);
    const auto made = apply(from.program, from.schedule);
    if (!made) continue;
    testing::Content expected = content_with_nans(from.program), got = expected;
    ASSERT_TRUE(interpret::run(from.program, {}, testing::spans(expected)));
    ASSERT_TRUE(interpret::run(*made, {}, testing::spans(got)));
    ASSERT_EQ(testing::first_difference(from.program, expected, got), std::nullopt) << print(*made);
    if (print(*made).find("var loaded") != std::string::npos) ++repeated;
  }
  EXPECT_GE(repeated, 100);
}

TEST(NoNans, AgreeOnADevice) { expect_agreement_on_device(random_network, 60); }

TEST(NoNans, AgreeOnADeviceWhereThereAreNans) {
  const auto device = device::open("opencl").value();
  const ir::Program program = parsed(program_text(clamped_in_order));
  const std::array requests = {
      run::Request{scheduled_as(program, "no_nans=1 vector=8").value(), {}}};
  auto executables = run::compile(*device, requests).value();
  testing::Content expected = content_with_nans(program), got = expected;
  ASSERT_TRUE(interpret::run(program, {}, testing::spans(expected)));
  ASSERT_TRUE(testing::launch_on(*device, executables[0], got));
  EXPECT_EQ(testing::first_difference(program, expected, got), std::nullopt);
}

TEST(NoNans, NothingIsComputedAgainWhereTheResultWouldBeAnother) {
  const std::string refused =
      "cannot compute minima without nans: no operand is sure to be a number";
  EXPECT_EQ(without_nans_text("y[i] = min(min(y[i], limit), max(y[i], limit))"), refused);
  EXPECT_EQ(without_nans_text("barrier y[i] = min(min(x[i], limit), max(x[i], limit))"), refused);
}

TEST(NoNans, WhatArithmeticGivesMayBeANan) {
  const std::string refused =
      "cannot compute minima without nans: no operand is sure to be a number";
  EXPECT_EQ(without_nans_text("y[i] = min(limit, limit)"), refused);
  EXPECT_EQ(without_nans_text("let a = x[i] * 2.0 y[i] = min(a, max(a, sqrt(a)))"), refused);
  EXPECT_EQ(without_nans_text("var a = 1.0 for j in 0 .. 4 { y[j] = max(a, limit) a = a - limit }"),
            refused);
}

bool is_in_space(std::string_view statements) {
  const ir::Program program = parsed(program_text(statements));
  const auto definition = schedule_space(program, {}).value();
  return std::ranges::find(definition.parameters, no_nans_name, &space::Parameter::name) !=
         definition.parameters.end();
}

TEST(NoNans, AreInASpaceWhereThereAreSeveralMinima) {
  EXPECT_TRUE(is_in_space(clamped_in_order));
  EXPECT_TRUE(is_in_space("var a = 0.0 for j in 0 .. 9 { a = max(a, x[j]) } y[i] = a"));
  EXPECT_FALSE(is_in_space("y[i] = max(x[i], 0.0)"));
}

}  // namespace
}  // namespace vyre::schedule
