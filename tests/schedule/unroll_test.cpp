#include "schedule/unroll.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/launch.h"
#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

using testing::Launch;
using testing::parsed;

std::string around(std::string_view statements) {
  return fmt::format(
      "program p {{ uniform n: u32 = 10 buffer y: u32[64] read_write grid 1 workgroup 1 {} }}",
      statements);
}

void expect_unrolled(std::string_view statements, std::uint32_t factor, std::string_view expected) {
  const auto made = unrolled(parsed(around(statements)), factor);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(around(expected))));
}

TEST(Unrolling, WritesTheBodySeveralTimesAndFinishesInALoopAsBefore) {
  expect_unrolled("for i in 0 .. n { let v = i * 2 y[i] = v }", 2, R"(
    let i_end = n
    let i_whole = i_end / 2 * 2
    for i_2 in 0 .. i_whole step 2 {
      let v_2 = i_2 * 2
      y[i_2] = v_2
      let v_3 = (i_2 + 1) * 2
      y[i_2 + 1] = v_3
    }
    for i in i_whole .. i_end {
      let v = i * 2
      y[i] = v
    })");
}

TEST(Unrolling, NeedsNoSecondLoopWhereTheFactorDivides) {
  expect_unrolled("for i in 4 .. 16 step 3 { y[i] = i }", 2,
                  "for i_2 in 4 .. 16 step 6 { y[i_2] = i_2 y[i_2 + 3] = i_2 + 3 }");
}

TEST(Unrolling, DissolvesShortLoopsWithLiteralBounds) {
  expect_unrolled("for i in -1i .. 2i { y[u32(i + 1i)] = u32(i) }", 4, R"(
    y[u32(0i)] = u32(-1i)
    y[u32(1i)] = u32(0i)
    y[u32(2i)] = u32(1i))");
}

TEST(Unrolling, TakesInnermostLoops) {
  expect_unrolled("for j in 0 .. n { for i in 0 .. 2 { y[i * 8 + j] = 1 } }", 2,
                  "for j in 0 .. n { y[j] = 1 y[j + 8] = 1 }");
}

TEST(Unrolling, DissolvesShortLoopsAroundThoseThatDisappear) {
  expect_unrolled("for j in 0 .. 3 { let row = j * 8 for i in 0 .. 2 { y[row + i] = i } }", 3, R"(
    let row_2 = 0
    y[row_2] = 0
    y[row_2 + 1] = 1
    let row_3 = 8
    y[row_3] = 0
    y[row_3 + 1] = 1
    let row_4 = 16
    y[row_4] = 0
    y[row_4 + 1] = 1)");
  expect_unrolled("for j in 0 .. 4 { for i in 0 .. 2 { y[j + i] = 1 } }", 3,
                  "for j in 0 .. 4 { y[j] = 1 y[j + 1] = 1 }");
}

TEST(Unrolling, LeavesLoopsAroundWhatIsLongAlready) {
  std::string ten;
  for (int i = 0; i < 10; ++i) ten += fmt::format("y[{0}] = {0} ", i);
  const std::string four = ten + ten + ten + ten;
  expect_unrolled("for k in 0 .. 4 { for j in 0 .. 4 { for i in 0 .. 1 {" + ten + "} } }", 4,
                  "for k in 0 .. 4 {" + four + "}");
}

TEST(Unrolling, DoesNotDissolveALoopWhoseVariableWraps) {
  const auto made =
      unrolled(parsed(around("for i in 4294967290 .. 4294967295 step 4 { y[i % 8] = i }")), 8);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print_head(made->body.back()), "for i in i_whole .. 4294967295 step 4 { ... }");
}

TEST(Unrolling, CountsAsTheLoopDidWhateverTheBounds) {
  for (const auto& [begin, end] : std::vector<std::pair<int, int>>{{0, 0},
                                                                   {5, 3},
                                                                   {-7, 6},
                                                                   {-3, -3},
                                                                   {-2147483648, -2147483640},
                                                                   {2147483630, 2147483647}}) {
    const std::string text = around(fmt::format(
        "let b = i32({}i) let e = i32({}i) for i in b .. e {{ y[u32(i - b)] = u32(i) ^ 5 }}", begin,
        end));
    const auto made = unrolled(parsed(text), 4);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(testing::after<std::uint32_t>(print(*made), "y"),
              testing::after<std::uint32_t>(text, "y"))
        << begin << " .. " << end;
  }
}

TEST(Unrolling, RefusesProgramsWithoutALoopThatItCanUnroll) {
  EXPECT_EQ(unrolled(parsed(around("for i in 0 .. 4 step n { y[i] = 1 }")), 2).error().message,
            "cannot unroll by 2: there is no innermost loop that it may unroll");
}

TEST(Unrolling, LeavesLoopsWithBarriersWhoseBoundsMayDiffer) {
  // Ends of 10 and 12 are both four trips with a step of 3; but one whole turn of two, and two.
  const auto text = [](std::string_view bounds) {
    return fmt::format(
        "program p {{ buffer y: u32[4] read_write grid 4 workgroup 4 "
        "for i in {} {{ y[invocation.x] = y[invocation.x] + i barrier }} }}",
        bounds);
  };
  const auto made = unrolled(parsed(text("0 .. 10 + local.x % 2 * 2 step 3")), 2);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message,
            "cannot unroll by 2: there is no innermost loop that it may unroll");
  for (const char* bounds : {"local.x .. local.x + 5", "1 .. 12 step 3",
                             "group.x .. 9 + grid.x * 2 step 3", "0 .. 9 step workgroup.x"}) {
    const auto legal = unrolled(parsed(text(bounds)), 2);
    ASSERT_TRUE(legal) << legal.error().message;
    EXPECT_EQ(testing::after<std::uint32_t>(print(*legal), "y"),
              testing::after<std::uint32_t>(text(bounds), "y"));
  }
}

TEST(Unrolling, CountsWithTheWorkgroupThatTheProgramHas) {
  const auto made = unrolled(parsed("program p { buffer y: u32[4] write grid 4 workgroup 2 or 4 "
                                    "for i in local.x .. 4 step workgroup.x { y[i] = i } "
                                    "for j in 0 .. workgroup.x { y[j] = j } }"),
                             2);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print_head(made->body.back()), "y[1] = 1");
  EXPECT_TRUE(made->other_workgroups.empty()) << "it is for this workgroup alone";
}

TEST(Unrolling, RefusesBodiesThatBecomeTooLong) {
  std::string body;
  for (int i = 0; i < 60; ++i) body += fmt::format("y[{}] = i ", i);
  EXPECT_EQ(unrolled(parsed(around("for i in 0 .. n {" + body + "}")), 128).error().message,
            "cannot unroll by 128: the body would have 7744 statements, more than 4096");
}

}  // namespace
}  // namespace vyre::schedule
