#include "schedule/registers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "schedule/cases.h"
#include "schedule/schedule_space.h"
#include "space/expression.h"
#include "support/programs.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

std::string program_text(std::string_view statements) {
  return fmt::format(R"(program p {{
  uniform k: u32 = 3
  buffer x: f32[64] read
  buffer y: f32[16] write
  private v: f32[4]
  grid 16

  let i = invocation.x
  {}
}})",
                     statements);
}

constexpr auto sorted = R"(for j in 0 .. 4 { v[j] = x[i * 4 + j] }
  for j in 0 .. 3 {
    for m in j + 1 .. 4 {
      let a = v[j]
      let b = v[m]
      v[j] = min(a, b)
      v[m] = max(a, b)
    }
  }
  y[i] = v[2])";

TEST(Registers, WritesOutLoopsThroughPrivateArrays) {
  const auto made = scheduled_as(parsed(program_text(R"(for j in 0 .. 2 {
    for m in j + 1 .. 3 { v[m] = x[i + j] }
  }
  for m in 0 .. 2 { y[i] = v[2] })")),
                                 "registers=1");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(ir::print(*made), R"(program p {
  uniform k: u32 = 3
  buffer x: f32[64] read
  buffer y: f32[16] write
  private v: f32[4]
  grid 16
  workgroup 64

  let i = invocation.x
  v[1] = x[i]
  v[2] = x[i]
  v[2] = x[i + 1]
  for m_2 in 0 .. 2 {
    y[i] = v[2]
  }
}
)");
}

TEST(Registers, ComputesTheSameAlsoWithVectors) {
  const ir::Program program = parsed(program_text(sorted));
  for (const char* how : {"registers=1", "registers=1 vector=8", "registers=1 items_x=2"}) {
    const auto made = scheduled_as(program, how);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(left_by_interpreter(*made), left_by_interpreter(program)) << print(*made);
  }
}

TEST(Registers, TakesLoopsWhoseVariableDecidesThroughNames) {
  const auto made = scheduled_as(
      parsed(program_text("for j in 1i .. 8i step 3i { let at = u32(j) / 2 v[at] = x[at] }\n"
                          "y[i] = v[0] + v[2] + v[3]")),
      "registers=1");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_FALSE(ir::any_stmt(made->body, [](const ir::Stmt& stmt) { return ir::is<ir::For>(stmt); }))
      << print(*made);
}

// Triangles from the end on, as in substitution: places and bounds go through a name.
constexpr auto from_the_end = R"(for j in 0 .. 4 { v[j] = x[i * 4 + j] }
  for back in 0 .. 4 {
    let r = 3 - back
    let next = r + 1
    var sum = v[r]
    for c in next .. 4 { sum -= x[r * 4 + c] * v[c] }
    v[r] = sum
  }
  y[i] = v[0])";

TEST(Registers, ReadThroughNamesOfLiterals) {
  const ir::Program program = parsed(program_text(from_the_end));
  const auto made = scheduled_as(program, "registers=1");
  ASSERT_TRUE(made) << made.error().message;
  const std::string text = ir::print(*made);
  EXPECT_NE(text.find(R"(
  var sum_3 = v[2]
  sum_3 = sum_3 - x[11] * v[3]
  v[2] = sum_3
  var sum_4 = v[1]
  sum_4 = sum_4 - x[6] * v[2]
  sum_4 = sum_4 - x[7] * v[3]
)"),
            std::string::npos)
      << text;
  EXPECT_EQ(left_by_interpreter(*made), left_by_interpreter(program)) << text;
}

std::string why_not_in_registers(const std::string& text) {
  const auto made = in_registers(parsed(text));
  return made ? "it is legal" : made.error().message;
}

TEST(Registers, SaysWhyItIsRefused) {
  const std::string cannot = "cannot keep private arrays in registers: ";
  EXPECT_EQ(why_not_in_registers("program p { buffer y: u32[4] write grid 4 y[invocation.x] = 1 }"),
            cannot + "there are none");
  const std::string no_loop = cannot + "no short loop decides what is accessed in them";
  EXPECT_EQ(why_not_in_registers(program_text("for j in 0 .. k { v[j] = x[j] }\n  y[i] = v[0]")),
            no_loop);
  EXPECT_EQ(
      why_not_in_registers(program_text("for j in 0 .. 65 { v[j % 4] = x[i] }\n  y[i] = v[0]")),
      no_loop);
  EXPECT_EQ(why_not_in_registers(program_text("v[0] = 1.0 for j in 0 .. 2 { y[i] = v[0] }")),
            no_loop);
  EXPECT_EQ(why_not_in_registers(
                program_text("for j in 0 .. 64 { for m in 0 .. 64 { v[(j + m) % 4] = x[m] } }"
                             "  y[i] = v[0]")),
            cannot + "the program would be too long");
}

bool has_registers(const std::string& text) {
  const ir::Program program = parsed(text);
  const auto definition = schedule_space(program, {}).value();
  return std::ranges::any_of(definition.parameters, [](const space::Parameter& parameter) {
    return parameter.name == "registers";
  });
}

TEST(Registers, AreInASpaceWhereAWholeArrayIsKeptInThem) {
  EXPECT_TRUE(has_registers(program_text(sorted)));
  EXPECT_TRUE(has_registers(program_text(from_the_end)));
  EXPECT_FALSE(has_registers(program_text("for j in 0 .. 4 { v[j] = x[j] }\n  y[i] = v[i % 4]")));
}

bool has_constraint(const std::string& text, std::string_view expression) {
  const auto definition = schedule_space(parsed(text), {}).value();
  return std::ranges::any_of(*definition.constraints, [&](const space::Expression& constraint) {
    return constraint.text() == expression;
  });
}

TEST(Registers, AreNotCombinedWithStepsThroughLoopsWhereNoneIsLeft) {
  constexpr std::string_view no_loops = "registers == 0 or unroll == 1";
  EXPECT_TRUE(has_constraint(program_text(sorted), no_loops));
  const std::string more = std::string(sorted) + " for m in 0 .. k { y[i] = v[0] }";
  EXPECT_FALSE(has_constraint(program_text(more), no_loops));
}

}  // namespace
}  // namespace vyre::schedule
