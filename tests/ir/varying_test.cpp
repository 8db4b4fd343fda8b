#include "ir/varying.h"

#include <gtest/gtest.h>

#include "support/programs.h"

namespace vyre::ir {
namespace {

// Whether the let or var called `it` varies along x.
bool varies(const std::string& statements) {
  const Program program = testing::parsed(
      "program p { uniform n: u32 = 8 buffer x: u32[64] read private own: u32[4] grid n, n " +
      statements + " }");
  return Varying(program.body, 0, private_names(program)).varies(std::string("it"));
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

TEST(Varying, IsWhatAWhileAssignsThatSomeLeaveBeforeOthers) {
  EXPECT_FALSE(varies("var it = 0 while it < n { it = it + 1 }"));
  EXPECT_TRUE(varies("var it = 0 while it < invocation.x { it = it + 1 }"));
  EXPECT_TRUE(varies("var it = 0 while it < n { it = it + 1 if invocation.x == it { break } }"));
  EXPECT_FALSE(varies("var it = 0 while it < n { it = it + 1 if invocation.y == it { break } }"));
  EXPECT_FALSE(
      varies("var it = 0 while it < n { it = it + 1 "
             "while true { if invocation.x == 1 { break } } }"));
}

TEST(Varying, IsAPrivateBufferThatIsWrittenDifferently) {
  EXPECT_TRUE(varies("own[0] = invocation.x let it = own[1]"));
  EXPECT_TRUE(varies("own[invocation.x] = 1 let it = own[1]"));
  EXPECT_TRUE(varies("own[0] = 1 if invocation.x == 3 { own[0] = 2 } let it = own[0]"));
  EXPECT_FALSE(varies("own[n] = x[invocation.y] let it = own[1]"));
  EXPECT_TRUE(varies("own[0] = 1 let it = own[invocation.x]"));
}

TEST(Varying, IsFollowedFromOneIterationToTheNext) {
  EXPECT_TRUE(varies("var a = 0 var it = 0 for i in 0 .. n { it = a a = invocation.x }"));
}

}  // namespace
}  // namespace vyre::ir
