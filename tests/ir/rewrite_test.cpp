#include "ir/rewrite.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

Block body_of(std::string_view statements) {
  return testing::parsed(testing::in_body(statements)).body;
}

TEST(Rewrite, ReplacesEveryUseOfAnId) {
  const Block block = body_of("u[invocation.x] = invocation.x + invocation.y");
  EXPECT_EQ(with_id(block, Id{IdKind::invocation, 0}, literal(7U)),
            body_of("u[7] = invocation.y + 7"));
}

TEST(Rewrite, FoldsSumsAboveWhatWasReplaced) {
  const Expr k = Var{"k", {Scalar::u32}};
  const Expr sum = Binary{BinaryOp::add, Binary{BinaryOp::mul, k, literal(4U)}, literal(1U)};
  const auto with = [&](const Expr& value) {
    return replaced(sum,
                    [&](const Expr& e) { return e == k ? std::optional(value) : std::nullopt; });
  };
  EXPECT_EQ(print(with(literal(3U))), "13");
  EXPECT_EQ(print(with(literal(1U))), "5");
  EXPECT_EQ(print(with(Id{IdKind::local, 0})), "local.x * 4 + 1");
}

TEST(Rewrite, LeavesAsItIsWhatNothingWasReplacedIn) {
  const Block block = body_of("u[1 + invocation.y] = 2 + 3");
  EXPECT_EQ(with_var(block, "k", literal(1U)), block);
}

TEST(Rewrite, SendsAssignmentsToOtherNamesInEveryBlock) {
  const Block block = body_of("var p = 1 var q = 1 if n > 3 { p = p + 1 } else { q = p }");
  const Block made = body_of("var p = 1 var q = 1 if n > 3 { q = p + 1 } else { q = p }");
  EXPECT_EQ(with_targets(block[2], {{"p", "q"}}), made[2]);
}

TEST(Rewrite, MapsExpressionsFromTheLeavesUp) {
  const Expr two = Binary{BinaryOp::add, literal(1U), literal(1U)};
  const Expr three = Binary{BinaryOp::add, two, literal(1U)};
  std::vector<std::string> order;
  const Expr made = map_exprs(three, [&](const Expr& e) -> Expr {
    order.push_back(print(e));
    return is<Literal>(e) ? literal(5U) : e;
  });
  EXPECT_EQ(order, (std::vector<std::string>{"1", "1", "5 + 5", "1", "5 + 5 + 5"}));
  EXPECT_EQ(print(made), "5 + 5 + 5");
}

TEST(Rewrite, AStatementCanBecomeSeveralOrNone) {
  const Block block = body_of("barrier if n > 3 { u[0] = 1 barrier }");
  const Block made = map_stmts(block, [](const Stmt& stmt, Block& into) {
    if (is<Barrier>(stmt)) return;
    into.push_back(stmt);
    if (is<Store>(stmt)) into.push_back(stmt);
  });
  EXPECT_EQ(made, body_of("if n > 3 { u[0] = 1 u[0] = 1 }"));
}

TEST(Rewrite, ReplacesTheBlocksOfAStatement) {
  const Block block = body_of("for k in 0 .. n { barrier }");
  EXPECT_EQ(with_blocks(block[0], [](const Block&) { return Block{}; }),
            body_of("for k in 0 .. n { }")[0]);
}

}  // namespace
}  // namespace vyre::ir
