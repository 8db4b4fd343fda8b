#include "schedule/loop_lanes.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "vyre/ir/text.h"
#include "vyre/schedule/schedule.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

std::string with_loops(const std::string& statements, bool marked = true) {
  return std::string(
             "program p { uniform n: u32 = 64 buffer a: f32[n] read buffer u: u32[n] read ") +
         "buffer y: f32[n] read_write grid 1 workgroup 1 " + (marked ? "reassociate " : "") +
         statements + " }";
}

std::string reason(const std::string& statements, bool marked = true) {
  const auto made = with_loop_lanes(parsed(with_loops(statements, marked)), {.width = 4});
  return made ? "made" : made.error().message;
}

TEST(LoopLanes, MakeALaneOfEachIterationAndPutTheSumsTogetherAfterTheLoop) {
  const auto made = with_loop_lanes(parsed(with_loops(R"(
    var sum = 1.0
    for k in 0 .. n { sum = sum + a[k] * y[k] }
    y[0] = sum)")),
                                    {.width = 4});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(with_loops(R"(
    var sum = 1.0
    let k_end = n
    let k_whole = k_end / 4 * 4
    var sum_2 = splat4(0.0)
    for k_2 in 0 .. k_whole step 4 {
      let k_3 = k_2
      sum_2 = sum_2 + a[k_3 : 4] * y[k_3 : 4]
    }
    let sum_3 = sum_2
    sum = sum + ((sum_3.0 + sum_3.2) + (sum_3.1 + sum_3.3))
    for k in k_whole .. k_end { sum = sum + a[k] * y[k] }
    y[0] = sum)"))));
}

TEST(LoopLanes, AddUnderAMaskWhatOnlySomeIterationsAdd) {
  const auto made = with_loop_lanes(parsed(with_loops(R"(
    var sum = 1
    for k in 0 .. 64 {
      if a[k] > 0.5 { sum = sum + u[k] }
    }
    y[sum % n] = 0.0)")),
                                    {.width = 4});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(with_loops(R"(
    var sum = 1
    var sum_2 = splat4(0)
    for k_2 in 0 .. 64 step 4 {
      let k_3 = k_2
      let mask = a[k_3 : 4] > splat4(0.5)
      if any(mask) {
        var u_values = splat4(0)
        if n >= 4 & k_3 <= n - 4 {
          u_values = u[k_3 : 4]
        } else {
          let at = min(splat4(k_3) + [0, 1, 2, 3], splat4(n - 1))
          u_values = [u[at.0], u[at.1], u[at.2], u[at.3]]
        }
        sum_2 = select(mask, sum_2 + u_values, sum_2)
      }
    }
    let sum_3 = sum_2
    sum = sum + ((sum_3.0 + sum_3.2) + (sum_3.1 + sum_3.3))
    y[sum % n] = 0.0)"))));
}

constexpr const char* columns = R"(program p { uniform n: u32 = 64 buffer a: f32[n * n] read
  buffer v: f32[n] read buffer y: f32[n] write grid n reassociate
  var sum = 0.0
  for k in 0 .. n { sum = sum + a[k * n + invocation.x] * v[k] }
  y[invocation.x] = sum })";

TEST(LoopLanes, LeaveColumnsToVectorsAlongX) {
  const auto made = with_loop_lanes(parsed(columns), {.width = 4});
  ASSERT_FALSE(made);
  EXPECT_TRUE(made.error().message.contains("from invocation to invocation"));
}

TEST(LoopLanes, StoreAndLoadWhereEachIterationHasAnElementOfItsOwn) {
  const auto made = with_loop_lanes(
      parsed(with_loops("for k in 8 .. 64 { y[k] = y[k] + a[k] }", false)), {.width = 8});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(with_loops(R"(
    for k_2 in 8 .. 64 step 8 {
      let k_3 = k_2
      y[k_3 : 8] = y[k_3 : 8] + a[k_3 : 8]
    })",
                                                  false))));
}

TEST(LoopLanes, KeepSumsOfFloatsInOrderUnlessTheProgramSaysThatItDoesNotMatter) {
  const std::string sum = "var s = 0.0 for k in 0 .. n { s = s + a[k] } y[0] = s";
  EXPECT_EQ(reason(sum), "made");
  EXPECT_EQ(
      reason(sum, false),
      "cannot make vectors of 4 along loops: 's' is a sum of floats, and the program does not "
      "say that order does not matter (`reassociate`)");
  // Integers wrap, and a maximum is the same in every order.
  EXPECT_EQ(reason("var s = 0 for k in 0 .. n { s = s + u[k] } y[0] = f32(s)", false), "made");
  EXPECT_EQ(reason("var s = 0.0 for k in 0 .. n { s = max(a[k], s) } y[0] = s", false), "made");
}

TEST(LoopLanes, AreRefusedWithAReason) {
  const std::string cannot = "cannot make vectors of 4 along loops: ";
  const auto loop = [](const std::string& body) {
    return "var s = 0.0 for k in 0 .. n { " + body + " } y[0] = s";
  };
  EXPECT_EQ(reason("y[0] = 1.0"), cannot + "there is no loop");
  const std::string more = cannot + "the loop over 'k' does more with 's' than accumulate it";
  EXPECT_EQ(reason(loop("s = s * 0.5 + a[k]")), more);
  EXPECT_EQ(reason(loop("s = s + a[k] y[k] = s")), more);
  EXPECT_EQ(reason(loop("s = s + a[k] s = max(s, 0.0)")), more);
  EXPECT_EQ(reason(loop("s = a[k]")), more);
  EXPECT_EQ(reason(loop("s = a[k] - s")), more);
  const std::string writes = cannot + "the loop over 'k' writes what other iterations may touch";
  EXPECT_EQ(reason("for k in 1 .. n { y[k] = y[k - 1] + a[k] }"), writes);
  EXPECT_EQ(reason("for k in 1 .. n { y[0] = a[k] }"), writes);
  EXPECT_EQ(reason("for k in 0 .. n / 2 { y[2 * k] = a[k] }"), writes);
  EXPECT_EQ(
      reason(loop("s = s + a[k * 2 % 64]")),
      cannot + "the loop over 'k' accesses no neighbouring elements from iteration to iteration");
  EXPECT_EQ(reason("for k in 0 .. n step 2 { y[k] = a[k] }"),
            cannot + "the loop over 'k' does not go in steps of one");
  EXPECT_EQ(reason("for k in 0 .. 3 { y[k] = a[k] }"),
            cannot + "the loop over 'k' has fewer iterations than lanes");
}

TEST(LoopLanes, BelongToTheSpaceOfAProgramThatAllowsThem) {
  const std::string text = with_loops("var s = 0.0 for k in 0 .. n { s = s + a[k] } y[0] = s");
  const auto schedule =
      parse_schedule("loop_vector=16 loop_parts=2", default_schedule(parsed(text)));
  EXPECT_TRUE(apply(parsed(text), schedule.value()));
}

}  // namespace
}  // namespace vyre::schedule
