#include "ir/fold.h"

#include <gtest/gtest.h>

#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

const Expr x = Id{IdKind::invocation, 0};

TEST(Fold, LiteralsMoveToTheRightEndOfASum) {
  EXPECT_EQ(print(plus(literal(1U), x)), "invocation.x + 1");
  EXPECT_EQ(print(plus(plus(x, literal(1U)), literal(2U))), "invocation.x + 3");
  EXPECT_EQ(print(plus(x, plus(x, literal(2U)))), "invocation.x + invocation.x + 2");
  EXPECT_EQ(print(plus(x, literal(0U))), "invocation.x");
}

TEST(Fold, SumsAndProductsOfLiteralsWrap) {
  EXPECT_EQ(print(plus(literal(0xffffffffU), literal(2U))), "1");
  EXPECT_EQ(print(minus(literal(1U), literal(2U))), "4294967295");
  EXPECT_EQ(print(times(literal(0x80000000U), literal(2U))), "0");
}

TEST(Fold, OnesAndZerosVanishFromProducts) {
  EXPECT_EQ(print(times(literal(1U), x)), "invocation.x");
  EXPECT_EQ(print(times(x, literal(0U))), "0");
  EXPECT_EQ(print(times(literal(3U), x)), "invocation.x * 3");
}

TEST(Fold, QuotientAndRemainderOfALiteralAreLiterals) {
  EXPECT_EQ(print(quotient(literal(7U), 2)), "3");
  EXPECT_EQ(print(remainder(literal(7U), 2)), "1");
  EXPECT_EQ(print(ceil_div(literal(7U), 2)), "4");
  EXPECT_EQ(print(quotient(x, 1)), "invocation.x");
  EXPECT_EQ(print(remainder(x, 1)), "0");
  EXPECT_EQ(print(ceil_div(x, 4)), "(invocation.x + 3) / 4");
}

TEST(Fold, ATrueConditionVanishes) {
  const Expr test = compared(BinaryOp::lt, x, literal(4U));
  EXPECT_EQ(both(literal(true), test), test);
  EXPECT_EQ(both(test, literal(true)), test);
  EXPECT_EQ(print(both(test, test)), "invocation.x < 4 & invocation.x < 4");
}

}  // namespace
}  // namespace vyre::ir
