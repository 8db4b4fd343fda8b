// What steps know of a program before they change it: what varies, and by how much.
#include "schedule/stride.h"

#include <gtest/gtest.h>

#include "schedule/varying.h"
#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

// The stride along x of the value of the let called `it`, as text; "none" if it has none.
std::string stride(const std::string& statements) {
  const ir::Program program = testing::parsed(
      "program p { uniform n: u32 = 8 buffer x: u32[64] read grid n, n " + statements + " }");
  const Varying varying(program.body, 0);
  const Strides strides(program.body, varying);
  const auto found = strides.of_name("it");
  return found ? print(*found) : "none";
}

bool varies(const std::string& statements) {
  const ir::Program program = testing::parsed(
      "program p { uniform n: u32 = 8 buffer x: u32[64] read grid n, n " + statements + " }");
  return Varying(program.body, 0).varies(std::string("it"));
}

TEST(Strides, OfSumsAndProductsAreSumsAndProducts) {
  EXPECT_EQ(stride("let it = invocation.x"), "1");
  EXPECT_EQ(stride("let it = invocation.y * n + 3"), "0");
  EXPECT_EQ(stride("let i = invocation.y * n + invocation.x let it = i - n"), "1");
  EXPECT_EQ(stride("let it = (invocation.x + 2) * n"), "n");
  EXPECT_EQ(stride("let it = i32(invocation.x << 3)"), "8i");
  EXPECT_EQ(stride("let it = x[3] + invocation.x"), "1");
}

TEST(Strides, AreNotKnownOfAnythingElse) {
  EXPECT_EQ(stride("let it = invocation.x / 2"), "none");
  EXPECT_EQ(stride("let it = invocation.x * invocation.x"), "none");
  EXPECT_EQ(stride("let it = x[invocation.x]"), "none");
  EXPECT_EQ(stride("var f = 2 f = n let it = invocation.x * f"), "none");
  EXPECT_EQ(stride("let it = invocation.x * x[0]"), "none");
}

TEST(Varying, IsWhatDependsOnTheInvocation) {
  EXPECT_TRUE(varies("let it = invocation.x > 3"));
  EXPECT_FALSE(varies("let it = invocation.y + grid.x"));
  EXPECT_TRUE(varies("let it = x[invocation.x % 64]"));
  EXPECT_FALSE(varies("let it = x[invocation.y]"));
}

TEST(Varying, IsWhatIsAssignedWhereInvocationsPartWays) {
  EXPECT_TRUE(varies("var it = 0 if invocation.x == 3 { it = 1 }"));
  EXPECT_FALSE(varies("var it = 0 if invocation.y == 3 { it = 1 }"));
  EXPECT_TRUE(varies("var it = 0 for i in 0 .. invocation.x { it = i }"));
  EXPECT_FALSE(varies("var it = 0 for i in 0 .. n { it = i }"));
  EXPECT_FALSE(varies("if invocation.x == 3 { let it = n }"));
}

TEST(Varying, IsFollowedFromOneIterationToTheNext) {
  EXPECT_TRUE(varies("var a = 0 var it = 0 for i in 0 .. n { it = a a = invocation.x }"));
}

}  // namespace
}  // namespace vyre::schedule
