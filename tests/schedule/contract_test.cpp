#include "schedule/contract.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

std::string marked(const std::string& statements) {
  return "program p { uniform n: u32 = 8 uniform alpha: f32 = 2.0 buffer a: f32[n] read "
         "buffer y: f32[n] read_write grid n workgroup 1 reassociate let i = invocation.x " +
         statements + " }";
}

void expect_contracted(const std::string& from, const std::string& to) {
  const auto made = contracted(parsed(marked(from)));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(marked(to))));
}

TEST(Contraction, MakesOneOperationOfAProductAndASum) {
  expect_contracted("y[i] = a[i] * 2.0 + y[i]", "y[i] = fma(a[i], 2.0, y[i])");
  expect_contracted("y[i] = y[i] + a[i] * 2.0", "y[i] = fma(a[i], 2.0, y[i])");
  expect_contracted("y[i] = y[i] - a[i] * 2.0", "y[i] = fma(-a[i], 2.0, y[i])");
  expect_contracted("y[i] = a[i] * 2.0 - y[i]", "y[i] = fma(a[i], 2.0, -y[i])");
}

TEST(Contraction, MovesFactorsThatALoopDoesNotChangeOutOfItsSums) {
  expect_contracted(R"(
    var s = y[i]
    for k in 0 .. n { s = s + alpha * a[k] * 3.0 }
    y[i] = s)",
                    R"(
    var s = y[i]
    var s_2 = 0.0
    for k in 0 .. n { s_2 = s_2 + a[k] }
    s = fma(alpha * 3.0, s_2, s)
    y[i] = s)");
}

TEST(Contraction, MovesAFactorOutOfAllLoopsAroundIt) {
  expect_contracted(R"(
    var s = 0.0
    for j in 0 .. n { for k in 0 .. n { s = s + alpha * a[k] } }
    y[i] = s)",
                    R"(
    var s = 0.0
    var s_3 = 0.0
    for j in 0 .. n {
      var s_2 = 0.0
      for k in 0 .. n { s_2 = s_2 + a[k] }
      s_3 = s_3 + s_2
    }
    s = fma(alpha, s_3, s)
    y[i] = s)");
}

TEST(Contraction, LeavesIntegersAndFactorsThatChangeOrAreLoaded) {
  expect_contracted("var s = 0.0 for k in 0 .. n { s = s + a[0] * a[k] } y[i] = s",
                    "var s = 0.0 for k in 0 .. n { s = fma(a[0], a[k], s) } y[i] = s");
  const auto made = contracted(parsed(marked("y[i * 2 + 1] = a[i]")));
  EXPECT_EQ(made.error().message,
            "cannot contract float arithmetic: it has no sum with a product in it");
}

TEST(Contraction, IsTheAuthorsToAllow) {
  ir::Program program = parsed(marked("y[i] = a[i] * 2.0 + y[i]"));
  program.reassociate = false;
  EXPECT_EQ(contracted(program).error().message,
            "cannot contract float arithmetic: the program does not say that order does not matter "
            "(`reassociate`)");
}

}  // namespace
}  // namespace vyre::schedule
