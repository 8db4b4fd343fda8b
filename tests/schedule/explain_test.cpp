#include "schedule/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/steps.h"
#include "support/programs.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

// "vector=1,2,4", or the refusal of the step that has the parameter.
std::string verdict_on(std::string_view parameter, std::string_view text, const Limits& limits = {},
                       const ir::Uniforms& uniforms = {}) {
  const auto verdicts = explain(parsed(text), limits, uniforms).value();
  for (const StepVerdict& verdict : verdicts) {
    for (const space::Parameter& one : verdict.parameters) {
      if (one.name != parameter) continue;
      std::vector<std::string> values;
      for (const space::Value& value : one.values) values.push_back(space::to_string(value));
      return fmt::format("{}={}", one.name, fmt::join(values, ","));
    }
    const auto words = fmt::format(" {} ", verdict.step);
    if (words.find(fmt::format(" {} ", parameter)) != std::string::npos) return verdict.refused;
  }
  return "no such parameter";
}

constexpr std::string_view gemm = R"(program gemm {
  uniform n: u32 = 64
  buffer a: f32[n * n] read
  buffer b: f32[n * n] read
  buffer c: f32[n * n] write
  grid n, n
  var sum = 0.0
  for i in 0 .. n {
    sum = fma(a[invocation.y * n + i], b[i * n + invocation.x], sum)
  }
  c[invocation.y * n + invocation.x] = sum
})";

constexpr std::string_view doubled = R"(program doubled {
  uniform n: u32 = 1024
  buffer x: f32[n] read
  buffer y: f32[n] write
  grid n
  y[invocation.x] = 2.0 * x[invocation.x]
})";

TEST(Explain, HasOneVerdictForEachStepInTheOrderOfApplication) {
  const auto verdicts = explain(parsed(gemm)).value();
  ASSERT_EQ(verdicts.size(), steps().size());
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    EXPECT_TRUE(verdicts[i].step.starts_with(steps()[i]->parameters[0].name));
    EXPECT_NE(verdicts[i].parameters.empty(), verdicts[i].refused.empty()) << verdicts[i].step;
  }
}

TEST(Explain, ListsTheValuesThatTheSpaceHas) {
  EXPECT_EQ(verdict_on("vector", gemm), "vector=1,2,4,8,16");
  EXPECT_EQ(verdict_on("unroll", gemm), "unroll=1,2,4,8");
  EXPECT_EQ(verdict_on("tile", gemm), "tile=0,8,16,32");
  EXPECT_EQ(verdict_on("order", gemm), "order=contiguous,strided,jammed");
  EXPECT_EQ(verdict_on("wg_x", doubled, {.max_workgroup = 8, .max_extent = {8, 8, 8}}),
            "wg_x=1,2,4,8,64");
}

TEST(Explain, SaysWhyAStepIsRefused) {
  EXPECT_EQ(verdict_on("unroll", doubled), "there is no innermost loop that it may unroll");
  EXPECT_EQ(verdict_on("gather", doubled), "no loop adds to one element only by atomics");
  EXPECT_EQ(verdict_on("contract", gemm),
            "the program does not say that order does not "
            "matter (`reassociate`)");
  EXPECT_EQ(verdict_on("inside", gemm),
            "no index is clamped, wrapped or tested by its place in "
            "the grid");
}

// A sum along rows that each invocation has for itself.
TEST(Explain, TriesATileInTheDimensionsThatTheGridHas) {
  const std::string refused = verdict_on("tile", R"(program rows {
    buffer a: f32[4096] read
    buffer s: f32[64] write
    grid 64
    var sum = 0.0
    for i in 0 .. 64 { sum = sum + a[invocation.x * 64 + i] }
    s[invocation.x] = sum
  })");
  EXPECT_TRUE(refused.ends_with("the invocations of a workgroup load nothing in common"))
      << refused;
}

TEST(Explain, NamesTheStatementThatStandsInTheWayOfAllThatRegroups) {
  constexpr std::string_view waits = "program p { grid 64 workgroup 64 barrier }";
  for (const char* parameter : {"wg_x", "tile", "private"}) {
    const std::string refused = verdict_on(parameter, waits);
    EXPECT_EQ(refused, "in `barrier`, all of a workgroup wait here") << parameter;
  }
}

TEST(Explain, SaysWhereAStepIsLegalAndOfNoUse) {
  const ir::Uniforms one = {{"n", Literal{Scalar::u32, 1}}};
  EXPECT_TRUE(verdict_on("items_x", doubled, {}, one).starts_with("it is legal, but the grid"));
}

TEST(Explain, FailsWhereTheProgramCannotBeLaunched) {
  EXPECT_FALSE(explain(parsed(doubled), {}, {{"n", Literal{Scalar::u32, 0}}}));
}

}  // namespace
}  // namespace vyre::schedule
