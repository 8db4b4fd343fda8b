// Names, branches and loops: which invocations run what, how often, and with which values.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/launch.h"

namespace vyre::interpret {
namespace {

using testing::after;
using testing::Launch;
using Ints = std::vector<std::int32_t>;
using Counts = std::vector<std::uint32_t>;

TEST(Control, ALetKeepsTheValueThatAVariableHadThen) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[4] write  grid 1  workgroup 1\n"
                                 "var a = 1\n"
                                 "let before = a\n"
                                 "var copy = a\n"
                                 "a = a + 10\n"
                                 "copy = copy + a\n"
                                 "out[0 : 4] = [before, a, copy, before] }",
                                 "out"),
            (Counts{1, 11, 12, 1}));
}

TEST(Control, ALaneOfAVariableIsKeptTooWhenTheVariableChanges) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[2] write  grid 1  workgroup 1\n"
                                 "var v = [1, 2]\n"
                                 "let y = v.1\n"
                                 "v = [v.1, v.0]\n"
                                 "v = v\n"
                                 "out[0] = v.0 * 10 + v.1\n"
                                 "out[1] = y }",
                                 "out"),
            (Counts{21, 2}));
}

TEST(Control, AnIfRunsEachSideForTheInvocationsThatTakeIt) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[6] write  grid 6\n"
                                 "let i = invocation.x\n"
                                 "var r = 100\n"
                                 "if i < 2 { r = i } else if i == 4 { r = r + i } else { }\n"
                                 "out[i] = r }",
                                 "out"),
            (Counts{0, 1, 100, 100, 104, 100}));
}

TEST(Control, NestedIfsNarrowAndWidenAgain) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[8] write  grid 8\n"
                                 "let i = invocation.x\n"
                                 "var r = 0\n"
                                 "if i % 2 == 1 {\n"
                                 "  r = r + 1\n"
                                 "  if i > 3 { r = r + 10  if i == 7 { r = r + 100 } }\n"
                                 "  else { r = r + 20 }\n"
                                 "  r = r + 1000\n"
                                 "}\n"
                                 "out[i] = r }",
                                 "out"),
            (Counts{0, 1021, 0, 1021, 0, 1011, 0, 1111}));
}

TEST(Control, AnIfDecidesOnceEvenIfItsBodyChangesTheCondition) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[2] write  grid 2\n"
                                 "var flag = invocation.x == 0\n"
                                 "var r = 0\n"
                                 "if flag { flag = false  r = 1 } else { flag = true  r = 2 }\n"
                                 "out[invocation.x] = r * 10 + u32(flag) }",
                                 "out"),
            (Counts{10, 21}));
}

TEST(Control, LoopsMayDifferInTripCountBetweenInvocations) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[70] write  grid 70  workgroup 8\n"
                                 "let i = invocation.x\n"
                                 "var sum = 0\n"
                                 "for k in 0 .. i { sum = sum + k }\n"
                                 "out[i] = sum }",
                                 "out"),
            [] {
              Counts sums;
              for (std::uint32_t i = 0; i < 70; ++i) sums.push_back(i == 0 ? 0 : i * (i - 1) / 2);
              return sums;
            }());
}

TEST(Control, LoopsNestInIfsAndIfsInLoops) {
  // Counts the pairs a < b < i with a + b even, for odd i only.
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[6] write  grid 6\n"
                                 "let i = invocation.x\n"
                                 "var pairs = 0\n"
                                 "if i % 2 == 1 {\n"
                                 "  for b in 0 .. i { for a in 0 .. b {\n"
                                 "    if (a + b) % 2 == 0 { pairs = pairs + 1 }\n"
                                 "  } }\n"
                                 "}\n"
                                 "out[i] = pairs }",
                                 "out"),
            (Counts{0, 0, 0, 1, 0, 4}));
}

TEST(Control, ALoopOverI32StartsBelowZeroAndSteps) {
  EXPECT_EQ(
      after<std::int32_t>("program p { buffer out: i32[3] write  grid 1  workgroup 1\n"
                          "var sum = 0i  var n = 0i  var last = 99i\n"
                          "for k in -7i .. 6i step 3i { sum = sum + k  n = n + 1i  last = k }\n"
                          "for k in 3i .. -3i { last = k }\n"
                          "out[0] = sum  out[1] = n  out[2] = last }",
                          "out"),
      (Ints{-5, 5, 5}));
}

TEST(Control, ALoopEvaluatesItsBoundsOnce) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[2] write  grid 1  workgroup 1\n"
                                 "var end = 4  var by = 1  var begin = 0\n"
                                 "for k in begin .. end step by {\n"
                                 "  end = 100  by = 50  begin = begin + k\n"
                                 "}\n"
                                 "out[0] = begin  out[1] = end }",
                                 "out"),
            (Counts{6, 100}));
}

TEST(Control, ALoopVariableWraps) {
  // 2147483646 + 2 wraps to the least i32, and the loop goes on to the step limit: entering takes
  // 1 step and an iteration 3, so 17 are enough for 5.
  Launch launch(
      "program p { uniform begin: i32 = 2147483646i  uniform end: i32 = 2147483647i\n"
      "buffer out: i32[1] write  grid 1  workgroup 1\n"
      "for k in begin .. end step 2i { out[0] = k } }");
  const Error error = launch.error({.step_limit = 17});
  EXPECT_EQ(error.kind, ErrorKind::timeout);
  EXPECT_EQ(launch.get<std::int32_t>("out")[0], -2147483648 + 6);
}

TEST(Control, ARegionOnlyScopes) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[1] write  grid 1  workgroup 1\n"
                                 "var a = 1\n"
                                 "region \"one\" { let t = 5  a = a + t }\n"
                                 "region \"two\" { let t = 7  a = a * t }\n"
                                 "out[0] = a }",
                                 "out"),
            (Counts{42}));
}

TEST(Control, UniformsKeepTheirDefaultUnlessGiven) {
  const char* text =
      "program p { uniform n: u32 = 3  uniform a: f32 = 0.5  uniform on: bool = false\n"
      "buffer out: f32[n] write  grid n\n"
      "out[invocation.x] = select(on, a, -a) }";
  EXPECT_EQ(after<float>(text, "out"), (std::vector<float>{-0.5, -0.5, -0.5}));
  Launch given(text, {{"n", {Scalar::u32, 2}}, {"on", {Scalar::boolean, 1}}});
  EXPECT_EQ(given.run().get<float>("out"), (std::vector<float>{0.5, 0.5}));
}

// Many names alive at once, in registers of all sizes, released and reused in other roles.
TEST(Control, RegistersThatAreReusedDoNotMixValues) {
  EXPECT_EQ(after<double>("program p { buffer out: f64[4] write  grid 4\n"
                          "let i = invocation.x\n"
                          "var total = 0.0d\n"
                          "for k in 0 .. 3 {\n"
                          "  let v = [f64(k), f64(i), 0.5d, 2.0d]\n"
                          "  let narrow = f32(v.1)\n"
                          "  if i > k { let w = v * v  total = total + w.0 + w.1 + f64(narrow) }\n"
                          "  else { let m = v > splat4(1.0d)  total = total + f64(m.3) * v.2 }\n"
                          "  let again = u32(v.0) + 11\n"
                          "  if again == 12 { total = total + 100.0d }\n"
                          "}\n"
                          "out[i] = total }",
                          "out"),
            (std::vector<double>{101.5, 0 + 2.0 + 0.5 + 0.5 + 100,
                                 (0 + 6.0) + (1 + 6.0) + 0.5 + 100, 12.0 + 13.0 + 16.0 + 100}));
}

}  // namespace
}  // namespace vyre::interpret
