#include "ir/stride.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

// The stride along x of the value of the let called `it`, as text; "none" if it has none.
std::string stride(const std::string& statements) {
  const Program program = testing::parsed(
      "program p { uniform n: u32 = 8 buffer x: u32[64] read grid n, n " + statements + " }");
  const Varying varying(program.body, 0, {});
  const Strides strides(program.body, varying);
  const auto found = strides.of_name("it");
  return found ? print(*found) : "none";
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

}  // namespace
}  // namespace vyre::ir
