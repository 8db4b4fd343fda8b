#include "ir/polynomial.h"

#include <gtest/gtest.h>

#include "support/programs.h"

namespace vyre::ir {
namespace {

// Of the value of the last `let`; names are not looked through but `i`.
std::optional<Polynomial> polynomial(const std::string& value) {
  const Program program = testing::parsed(
      "program p { uniform w: u32 = 4 uniform f: f32 = 1.0 buffer u: u32[4] read "
      "let i = invocation.y * w + invocation.x let index = " +
      value + " }");
  const Expr i = as<Let>(program.body[0])->value;
  const Definition define = [&](const std::string& name) {
    return name == "i" ? std::optional(i) : std::nullopt;
  };
  return polynomial_of(as<Let>(program.body[1])->value, define);
}

TEST(Polynomials, AreTheSameForWhatIsEqual) {
  EXPECT_EQ(polynomial("i - w - 1"), polynomial("(invocation.y - 1) * w + (invocation.x - 1)"));
  EXPECT_EQ(polynomial("2 * (i + i) - i * 4"), Polynomial{});
  EXPECT_NE(polynomial("i"), polynomial("i + 1"));
  EXPECT_EQ(polynomial("w * (invocation.x + 3)"),
            (Polynomial{{{"invocation.x", "w"}, 1}, {{"w"}, 3}}));
}

TEST(Polynomials, AreTheSameWhateverTheSignThatNumbersAreReadWith) {
  EXPECT_EQ(polynomial("u32(i32(i) - 1i)"), polynomial("i - 1"));
  EXPECT_EQ(polynomial("i32(w) * -2i"), (Polynomial{{{"w"}, -2U}}));
}

TEST(Polynomials, OfUniformsAreExpressionsAgain) {
  const Program program =
      testing::parsed("program p { uniform w: u32 = 4 uniform k: i32 = 1i let i = w * w * 3 - 5 }");
  const auto made = polynomial_of(as<Let>(program.body[0])->value);
  ASSERT_TRUE(made);
  EXPECT_EQ(polynomial_of(expression_of(*made)), made);
  EXPECT_TRUE(are_uniforms(program, {"w", "w"}));
  EXPECT_FALSE(are_uniforms(program, {"w", "k"}));
  EXPECT_FALSE(are_uniforms(program, {"i"}));
}

TEST(Polynomials, AreOfSumsAndProductsOnly) {
  for (const char* value : {"u[0]", "i / 2", "min(i, 3)", "select(true, i, 1)", "u32(f)", "1.0"}) {
    EXPECT_EQ(polynomial(value), std::nullopt) << value;
  }
}

TEST(Polynomials, HaveFactorsThatCanBeTakenAway) {
  EXPECT_EQ(without({"a", "b", "b"}, {"b"}), (Monomial{"a", "b"}));
  EXPECT_EQ(without({"a"}, {"b"}), std::nullopt);
}

}  // namespace
}  // namespace vyre::ir
