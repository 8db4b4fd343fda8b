// Launching: steps and their limit, what is refused before anything runs, bounded memory.
#include "interpret/interpret.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "support/launch.h"
#include "support/programs.h"

namespace vyre::interpret {
namespace {

using testing::Launch;
using testing::parsed;

std::uint64_t steps_of(std::string_view text) {
  const auto ran = Launch(text).try_run();
  return ran ? ran->steps : ~std::uint64_t{0};
}

TEST(Steps, AreStatementsOperationsAndAccessesOfActiveInvocations) {
  EXPECT_EQ(steps_of("program p { grid 10 }"), 0U);
  EXPECT_EQ(steps_of("program p { grid 10  let i = invocation.x }"), 10U);
  EXPECT_EQ(steps_of("program p { grid 10  let i = invocation.x + 1 * 2 }"), 30U);
  EXPECT_EQ(steps_of("program p { buffer y: u32[10] read  grid 10  let a = y[invocation.x] }"),
            20U);
  EXPECT_EQ(steps_of("program p { grid 10  if invocation.x < 3 { let a = 1 } }"), 20U + 3U);
  // Entering the loop, then per iteration: compare, add, and the body.
  EXPECT_EQ(steps_of("program p { grid 10  for k in 0 .. invocation.x { let a = 1 } }"),
            10U + 45U * 3U);
  EXPECT_EQ(steps_of("program p { grid 8  workgroup 4  region \"r\" { barrier } }"), 8U);
}

TEST(Steps, TheLimitIsTheLastNumberAllowed) {
  const char* text = "program p { grid 10  let i = invocation.x + 1 }";
  EXPECT_TRUE(Launch(text).try_run({.step_limit = 20}).has_value());
  EXPECT_FALSE(Launch(text).try_run({.step_limit = 19}).has_value());
}

TEST(Steps, AnEndlessLoopEndsAtTheLimitAndIsNamed) {
  for (const char* shape : {"grid 1  workgroup 1", "grid 1000  workgroup 100"}) {
    const Error error = Launch(std::string("program p { uniform zero: u32 = 0  ") + shape +
                               "\nlet a = 1\n"
                               "for k in 0 .. 5 step zero { } }")
                            .error({.step_limit = 100'000});
    EXPECT_EQ(error.kind, ErrorKind::timeout);
    EXPECT_EQ(error.place.line, 3U);
    EXPECT_EQ(error.message.find("`for k in 0 .. 5 step zero { ... }`: the limit of 100000 steps"),
              0U)
        << error.message;
  }
}

TEST(Steps, AHugeGridEndsAtTheLimit) {
  Launch launch("program p { grid 4294967295, 4294967295, 4294967295  let a = invocation.z }");
  EXPECT_EQ(launch.error({.step_limit = 100'000}).kind, ErrorKind::timeout);
}

TEST(Launching, AGridOfNothingToDoEndsAtOnce) {
  EXPECT_EQ(steps_of("program p { grid 4294967295, 4294967295  region \"r\" { } }"), 0U);
}

TEST(Launching, TheSamplesWithoutFaultsRun) {
  for (const auto& [name, text] : testing::sample_programs()) {
    if (name == "shapes" || name == "vectors" || name == "statements") continue;  // these race
    const auto ran = Launch(text).try_run();
    EXPECT_TRUE(ran.has_value()) << name << ": " << ran.error().message;
  }
}

// The words that a wrong launch of this program is refused with.
Error refused(const ir::Uniforms& uniforms, std::span<const std::span<std::byte>> buffers) {
  static const ir::Program program = parsed(
      "program p { uniform n: u32 = 4  buffer x: f64[n] read  buffer y: bool[n + 1] write\n"
      "grid n  y[invocation.x] = x[invocation.x] > 0.0d }");
  const auto ran = run(program, uniforms, buffers);
  if (ran) return {.message = "ran"};
  return ran.error();
}

TEST(Launching, BuffersOfAnotherNumberOrLengthAreRefusedWithTheNumbers) {
  std::vector<std::byte> x(32), y(5);
  const std::array<std::span<std::byte>, 3> three = {x, y, y};
  EXPECT_EQ(refused({}, std::span(three).first(2)).message, "ran");
  EXPECT_EQ(refused({}, std::span(three).first(1)),
            (Error{ErrorKind::input, "program p has 2 global buffers, but 1 are given"}));
  EXPECT_EQ(refused({}, three),
            (Error{ErrorKind::input, "program p has 2 global buffers, but 3 are given"}));
  EXPECT_EQ(refused({{"n", {Scalar::u32, 3}}}, std::span(three).first(2)),
            (Error{ErrorKind::input, "buffer 'x' has 32 bytes, but 3 elements of f64 take 24"}));
  y.resize(6);
  const std::array<std::span<std::byte>, 2> longer = {x, y};
  EXPECT_EQ(refused({}, longer),
            (Error{ErrorKind::input, "buffer 'y' has 6 bytes, but 5 elements of bool take 5"}));
}

TEST(Launching, UniformsOfAnotherNameOrTypeAreRefused) {
  EXPECT_EQ(refused({{"m", {Scalar::u32, 3}}}, {}).message, "program p has no uniform 'm'");
  EXPECT_EQ(refused({{"n", {Scalar::f32, 3}}}, {}).message, "uniform 'n' is u32, not f32");
}

TEST(Launching, SizesThatCannotBeAreRefused) {
  EXPECT_EQ(refused({{"n", {Scalar::u32, 0xffffffff}}}, {}).kind, ErrorKind::input);
  EXPECT_EQ(Launch("program p { uniform n: u32 = 0  grid n  let a = 1 }").error().kind,
            ErrorKind::input);
  EXPECT_EQ(Launch("program p { grid 65  workgroup 64  barrier }").error().kind, ErrorKind::input);
}

TEST(Launching, AWorkgroupThatWouldFillTheMemoryIsRefusedWithTheNumbers) {
  const Error registers = Launch(
                              "program p { buffer y: f32[16] write  grid 16777216\n"
                              "workgroup 16777216\n"
                              "let v = f32(splat16(invocation.x))\n"
                              "barrier\n"
                              "if invocation.x == 0 { y[0 : 16] = v * v } }")
                              .error();
  EXPECT_EQ(registers.kind, ErrorKind::input);
  EXPECT_NE(registers.message.find("16777216 x 1 x 1"), std::string::npos) << registers.message;
  const Error shared =
      Launch("program p { shared s: f64[4294967295]  grid 1  workgroup 1  s[0] = 1.0d }").error();
  EXPECT_EQ(shared.kind, ErrorKind::input);
  EXPECT_NE(shared.message.find("shared memory"), std::string::npos) << shared.message;
}

TEST(Launching, AnErrorLeavesWhatWasWrittenBefore) {
  Launch launch(
      "program p { buffer y: u32[4] write  grid 4\n"
      "y[invocation.x] = 5\n"
      "y[invocation.x + 1] = 6 }");
  EXPECT_FALSE(launch.try_run().has_value());
  EXPECT_EQ(launch.get<std::uint32_t>("y")[3], 5U);
}

}  // namespace
}  // namespace vyre::interpret
