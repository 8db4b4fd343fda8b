// Stages and scratch memory: their text, rules, facts and names, and the programs that they are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/facts.h"
#include "ir/grouping.h"
#include "ir/names.h"
#include "ir/precision.h"
#include "support/programs.h"
#include "vyre/ir/compose.h"
#include "vyre/ir/fingerprint.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

using testing::parsed;
using testing::problems_of;

constexpr std::string_view two_stages = R"(program total {
  uniform n: u32 = 64
  buffer x: f32[n] read
  scratch partial: f32[4]
  buffer out: f32[1] write
  private own: f32[2]
  grid 4
  workgroup 1

  own[0] = 0.0
  for i in 0 .. n / 4 {
    own[0] = own[0] + x[invocation.x * (n / 4) + i]
  }
  partial[invocation.x] = own[0]

  then grid 1 workgroup 1 {
    var s = 0.0
    for i in 0 .. 4 {
      s = s + partial[i]
    }
    out[0] = s
  }
}
)";

std::string stage_problem(std::string_view declarations, std::string_view statements) {
  const std::string text = fmt::format("program p {{\n{}\n{}\n}}", declarations, statements);
  return to_string(problems_of(text).at(0));
}

TEST(Stages, ArePrintedAsTheyWereWritten) {
  const Program program = parsed(two_stages);
  EXPECT_EQ(program.buffers[1].memory, Memory::scratch);
  EXPECT_EQ(program.buffers[1].access, Access::read_write);
  ASSERT_EQ(program.then.size(), 1U);
  EXPECT_EQ(program.then[0].workgroup, (Extent{1, 1, 1}));
  EXPECT_EQ(print(program), two_stages);
}

TEST(Stages, HaveADefaultWorkgroupAndThreeExtentsAtMost) {
  const Program program = parsed("program p { grid 1 then grid 2, 3, 4 { } then grid 5 { } }");
  ASSERT_EQ(program.then.size(), 2U);
  EXPECT_EQ(program.then[0].grid[2], literal(4U));
  EXPECT_EQ(program.then[1].workgroup, default_workgroup);
  EXPECT_EQ(parsed(print(program)), program);
}

TEST(Stages, AreNoReasonToGiveUpTheirWordsAsNames) {
  const Program program = parsed(R"(program p {
    buffer scratch: u32[4] write
    grid 4
    scratch[invocation.x] = 1
    var then = 2
    then = 3
  })");
  EXPECT_TRUE(program.then.empty());
  EXPECT_FALSE(has_stages(program));
}

TEST(Stages, ComeAfterAllStatements) {
  EXPECT_EQ(stage_problem("grid 1", "then grid 1 { }\nlet x = 1"),
            "4:1: expected '}' or another stage, found 'let'");
  EXPECT_EQ(stage_problem("grid 1", "if true { then grid 1 { } }"),
            "3:11: a stage stands after all statements of the program, in no block");
}

TEST(Stages, DeclareScratchBeforeTheStatements) {
  EXPECT_EQ(stage_problem("grid 1", "let a = 1\nscratch s: f32[4]"),
            "4:1: 'scratch' must stand before the first statement");
}

TEST(Stages, KeepTheRulesEach) {
  EXPECT_EQ(stage_problem("grid 1", "let a = 1\nthen grid 1 { let b = a }"),
            "4:23: unknown name 'a'");
  EXPECT_EQ(stage_problem("grid 1", "then grid 1.0 { }"), "3:11: a size is a u32, but 1.0 is f32");
  EXPECT_EQ(stage_problem("grid 1", "then grid 1 workgroup 0 { }"),
            "a workgroup has 1 to 2^31 invocations, not 0 x 1 x 1");
  EXPECT_EQ(stage_problem("scratch s: f32[workgroup.x]\ngrid 1", "then grid 1 { }"),
            "2:9: the size of 's' names the workgroup: a program that may have several has results "
            "of one size");
  EXPECT_EQ(stage_problem("grid 1 workgroup 1 or 2", "then grid 1 { }"),
            "a program with stages or scratch lists no other workgroups");
}

TEST(Stages, AreNotTooMany) {
  std::string text = "program p { grid 1 ";
  for (std::size_t i = 1; i < max_stages; ++i) text += "then grid 1 { } ";
  EXPECT_TRUE(parse(text + "}"));
  EXPECT_EQ(to_string(problems_of(text + "then grid 1 { } }").at(0)),
            "the program has 65 stages; at most 64 are accepted");
}

TEST(Stages, AreProgramsWithTheSameGlobalBuffers) {
  const auto all = stages(parsed(two_stages));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(print(all[0]), R"(program total {
  uniform n: u32 = 64
  buffer x: f32[n] read
  buffer out: f32[1] write
  private own: f32[2]
  buffer partial: f32[4] read_write
  grid 4
  workgroup 1

  own[0] = 0.0
  for i in 0 .. n / 4 {
    own[0] = own[0] + x[invocation.x * (n / 4) + i]
  }
  partial[invocation.x] = own[0]
}
)");
  EXPECT_EQ(print(all[1]), R"(program total {
  uniform n: u32 = 64
  buffer x: f32[n] read
  buffer out: f32[1] write
  buffer partial: f32[4] read_write
  grid 1
  workgroup 1

  var s = 0.0
  for i in 0 .. 4 {
    s = s + partial[i]
  }
  out[0] = s
}
)");
}

TEST(Stages, CountTogether) {
  const Facts found = facts(parsed(two_stages)).value();
  EXPECT_EQ(found.invocations, 5U);
  EXPECT_EQ(found.loads, 64U + 4U);
  EXPECT_EQ(found.stores, 4U + 1U);
  EXPECT_EQ(found.loops, 2U);
}

TEST(Stages, AreInTheFingerprintWithoutTheirNames) {
  const Program program = parsed(two_stages);
  std::string other(two_stages);
  for (std::size_t at = 0; (at = other.find("partial", at)) != std::string::npos;) {
    other.replace(at, 7, "p");
  }
  EXPECT_EQ(fingerprint(parsed(other)), fingerprint(program));
  Program fewer = program;
  fewer.then.clear();
  EXPECT_NE(fingerprint(fewer), fingerprint(program));
}

TEST(Stages, GetNamesOfTheirOwnAndOtherPrecision) {
  const Program program = with_unique_names(parsed(two_stages));
  EXPECT_EQ(std::get<For>(program.then[0].body[1].node).name, "i_2");
  const Program precise = in_precision(program, Scalar::f32, Scalar::f64).value();
  EXPECT_EQ(parsed(print(precise)), precise);
  EXPECT_EQ(precise.buffers[1].element, Scalar::f64);
}

TEST(Stages, DependOnTheWorkgroupWhereOneOfThemDoes) {
  EXPECT_FALSE(depends_on_workgroup(parsed(two_stages)));
  EXPECT_TRUE(depends_on_workgroup(
      parsed("program p { buffer y: u32[1] write grid 1 then grid 1 { y[0] = local.x } }")));
}

TEST(Stages, AreNotComposed) {
  const Program program = parsed(two_stages);
  const auto whole = compose("whole", std::array{program});
  ASSERT_FALSE(whole);
  EXPECT_EQ(whole.error().message,
            "'total' has stages or scratch: run the programs one after the other");
}

}  // namespace
}  // namespace vyre::ir
