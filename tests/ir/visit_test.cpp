#include "ir/visit.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

using testing::parsed;

const Program& sample() {
  static const Program program = parsed(R"(program p {
    uniform n: u32 = 8
    buffer x: f32[n * 2] read_write
    grid n
    let i = invocation.x
    if i < 4 {
      for k in 1 .. 2 step 3 {
        x[i + k] = fma(x[i], 2.0, 0.5)
      }
    } else {
      barrier
    }
  })");
  return program;
}

TEST(Visit, StatementsComeInTheOrderOfTheTextOuterOnesFirst) {
  std::vector<std::string> heads;
  for_each_stmt(sample().body, [&](const Stmt& stmt) { heads.push_back(print_head(stmt)); });
  EXPECT_EQ(heads, (std::vector<std::string>{"let i = invocation.x", "if i < 4 { ... }",
                                             "for k in 1 .. 2 step 3 { ... }",
                                             "x[i + k] = fma(x[i], 2.0, 0.5)", "barrier"}));
}

TEST(Visit, ExpressionsComeInTheOrderOfTheTextOuterOnesFirst) {
  std::vector<std::string> texts;
  for_each_expr(sample().body[1], [&](const Expr& e) { texts.push_back(print(e)); });
  EXPECT_EQ(texts, (std::vector<std::string>{"i < 4", "i", "4", "1", "2", "3", "i + k", "i", "k",
                                             "fma(x[i], 2.0, 0.5)", "x[i]", "i", "2.0", "0.5"}));
}

TEST(Visit, AProgramsExpressionsAreThoseOfItsSizesAndItsBody) {
  std::size_t uniforms = 0;
  std::size_t ids = 0;
  for_each_expr(sample(), [&](const Expr& e) {
    const auto* var = as<Var>(e);
    if (var != nullptr && var->name == "n") ++uniforms;
    if (is<Id>(e)) ++ids;
  });
  EXPECT_EQ(uniforms, 2U);
  EXPECT_EQ(ids, 1U);
}

TEST(Visit, StopsAtTheFirstThatPassesTheTest) {
  int seen = 0;
  EXPECT_TRUE(any_expr(sample().body, [&](const Expr& e) { return ++seen, is<Binary>(e); }));
  EXPECT_EQ(seen, 2);
  seen = 0;
  EXPECT_TRUE(any_stmt(sample().body, [&](const Stmt& s) { return ++seen, is<If>(s); }));
  EXPECT_EQ(seen, 2);
  EXPECT_FALSE(any_stmt(sample().body, [](const Stmt& s) { return is<Region>(s); }));
}

TEST(Visit, TheOperandsOfAStatementAreNotThoseOfItsBlocks) {
  std::vector<std::string> texts;
  for_each_operand(sample().body[1], [&](const Expr& e) { texts.push_back(print(e)); });
  EXPECT_EQ(texts, std::vector<std::string>{"i < 4"});
}

}  // namespace
}  // namespace vyre::ir
