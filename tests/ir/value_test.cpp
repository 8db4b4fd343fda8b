// C++ numbers and operators in built programs.
#include "vyre/ir/value.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "support/programs.h"
#include "vyre/ir/build.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

// Values of each type to put numbers beside.
struct Values {
  Builder k{"values"};
  Value u = k.uniform("u", 1U);
  Value i = k.uniform("i", 1);
  Value f = k.uniform("f", 1.0F);
  Value d = k.uniform("d", 1.0);
  Value b = k.uniform("b", true);
};

std::string text(const Value& value) { return print(value.expr()); }

// What is wrong with a value, without the file; empty if nothing is.
std::string problem(Value (*value)(const Values&)) {
  Values values;
  values.k.let("v", value(values));
  const auto built = values.k.finish();
  if (built) return "";
  const std::string message = built.error().message;
  const std::string file = " (value_test.cpp)";
  EXPECT_TRUE(message.ends_with(file)) << message;
  EXPECT_TRUE(built.error().place.known());
  return message.substr(0, message.size() - file.size());
}

#define EXPECT_PROBLEM(expression, expected) \
  EXPECT_EQ(problem([]([[maybe_unused]] const Values& v) { return Value(expression); }), expected)

TEST(Value, ANumberTakesTheTypeOfTheOperandBesideIt) {
  const Values v;
  EXPECT_EQ(text(v.u + 1), "u + 1");
  EXPECT_EQ(text(2 * v.f), "2.0 * f");
  EXPECT_EQ(text(v.i - 3.0), "i - 3i");
  EXPECT_EQ(text(v.d / 3), "d / 3.0d");
  EXPECT_EQ(text(v.f < 0), "f < 0.0");
  EXPECT_EQ(text(v.b == true), "b == true");
  EXPECT_EQ(text(min(v.f, 0)), "min(f, 0.0)");
  EXPECT_EQ(text(fma(v.f, 2, 1.0F)), "fma(f, 2.0, 1.0)");
  EXPECT_EQ(text(fma(2, 1, v.f)), "fma(2.0, 1.0, f)");
  EXPECT_EQ(text(select(v.b, v.f, 0)), "select(b, f, 0.0)");
  EXPECT_EQ(text(vector({1, v.f})), "[1.0, f]");
  EXPECT_EQ(text(splat(2, v.f) * 2), "splat2(f) * splat2(2.0)");
}

TEST(Value, FunctionsOfIntegersTakeWhatIsOneAndGiveItsType) {
  const Values of;
  EXPECT_EQ(text(popcount(of.u) + 1), "popcount(u) + 1");
  EXPECT_EQ(text(clz(of.i) - 1), "clz(i) - 1i");
  EXPECT_EQ(popcount(splat(4, of.u)).expr().type(), (Type{Scalar::u32, 4}));
  EXPECT_PROBLEM(popcount(v.f), "in `let v = popcount(f)`: 'popcount' does not work on f32");
  EXPECT_PROBLEM(clz(v.b), "in `let v = clz(b)`: 'clz' does not work on bool");
}

TEST(Value, ANumberAloneHasTheTypeThatItHasInCpp) {
  EXPECT_EQ(Value(1).expr().type(), Type{Scalar::i32});
  EXPECT_EQ(Value(1U).expr().type(), Type{Scalar::u32});
  EXPECT_EQ(Value(1.0F).expr().type(), Type{Scalar::f32});
  EXPECT_EQ(Value(1.0).expr().type(), Type{Scalar::f64});
  EXPECT_EQ(Value(true).expr().type(), Type{Scalar::boolean});
  EXPECT_EQ(Value(std::size_t{7}).expr(), literal(7U));
  EXPECT_EQ(Value(std::int64_t{-7}).expr(), literal(-7));
  EXPECT_EQ(Value(std::int64_t{3'000'000'000}).expr(), literal(3'000'000'000U));
}

TEST(Value, NumbersAmongThemselvesTakeTheTypeThatCppGivesThem) {
  const Values v;
  EXPECT_EQ(text(select(v.b, 1, 2U)), "select(b, 1, 2)");
  EXPECT_EQ(text(select(v.b, 1, 2.5F)), "select(b, 1.0, 2.5)");
  const Value both = splat(2, v.b);
  EXPECT_EQ(text(select(both, 1.0F, 0)), "select(splat2(b), splat2(1.0), splat2(0.0))");
}

TEST(Value, ANumberWithAnOpenTypeCanBeUsedWithSeveral) {
  const Values v;
  const Value two = 2;
  EXPECT_EQ(text(v.u * two), "u * 2");
  EXPECT_EQ(text(v.f * two), "f * 2.0");
}

TEST(Value, AnIntegerTypeRefusesWhatItCannotHold) {
  EXPECT_PROBLEM(v.u * 0.5, "0.5 is not a u32: convert(Scalar::f32, ...) first");
  EXPECT_PROBLEM(v.u + 5e9, "5000000000 is not a u32, which holds 0 to 4294967295");
  EXPECT_PROBLEM(v.u - (-1),
                 "-1 is not a u32, which holds 0 to 4294967295: convert(Scalar::i32, ...) first");
  EXPECT_PROBLEM(v.u + -3.0,
                 "-3 is not a u32, which holds 0 to 4294967295: convert(Scalar::i32, ...) first");
  EXPECT_PROBLEM(v.i + 300.5, "300.5 is not an i32: convert(Scalar::f32, ...) first");
  EXPECT_PROBLEM(v.i + 2'147'483'648U,
                 "2147483648 is not an i32, which holds -2147483648 to 2147483647");
  EXPECT_PROBLEM(v.u + std::numeric_limits<double>::infinity(),
                 "inf is not a u32: convert(Scalar::f32, ...) first");
  EXPECT_PROBLEM(Value(std::int64_t{1} << 40U),
                 "1099511627776 is not an i32, which holds -2147483648 to 2147483647");
  EXPECT_PROBLEM(constant(0.5, {Scalar::u32}), "0.5 is not a u32: write a whole number");
  EXPECT_PROBLEM(v.b == 2, "2 is not a bool: write true or false");
}

TEST(Value, AFloatRefusesWhatItCannotHold) {
  EXPECT_PROBLEM(v.f * 1e300, "1e+300 is not an f32, which holds up to 3.4028235e+38");
  EXPECT_PROBLEM(v.f + 16'777'217,
                 "16777217 is not an f32, the nearest is 16777216: write that, or a decimal");
  EXPECT_PROBLEM(
      v.d + ((std::int64_t{1} << 53U) + 1),
      "9007199254740993 is not an f64, the nearest is 9007199254740992: write that, or a "
      "decimal");
  EXPECT_PROBLEM(v.f * 1e-50, "1e-50 is not an f32, where the least above 0 is 1e-45");
}

TEST(Value, WhatATypeHoldsUpToRoundingOfADecimalIsFine) {
  EXPECT_PROBLEM(v.f * 0.1, "");
  EXPECT_PROBLEM(v.f * 1e11, "");
  EXPECT_PROBLEM(v.f + 16'777'216, "");
  EXPECT_PROBLEM(v.f + 4'294'967'296, "");
  EXPECT_PROBLEM(v.f < std::numeric_limits<double>::infinity(), "");
  EXPECT_PROBLEM(v.u + 4294967295.0, "");
  EXPECT_PROBLEM(v.i + std::numeric_limits<std::int32_t>::min(), "");
  EXPECT_PROBLEM(v.b == 1, "");
}

TEST(Value, TheProblemOfANumberHasThePlaceOfTheNumber) {
  Values v;
  const Value sum = v.u + 0.5;
  const auto here = SourceLocation::here();
  v.k.let("a", sum);
  v.k.let("b", sum * 2);
  const auto built = v.k.finish();
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().place.line, here.line - 1);
  EXPECT_EQ(built.error().place.column, 27U);
  EXPECT_TRUE(built.error().others.empty()) << testing::listed(built.error());
}

TEST(Value, AllMistakesOfOneValueAreReported) {
  Values v;
  v.k.let("a", (v.u + 0.5) * (v.u + 1.5));
  const auto built = v.k.finish();
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().others.size(), 1U);
}

TEST(Value, LogicalOperatorsWorkOnBoolOnly) {
  const Values all;
  EXPECT_EQ(text((all.u < 1 && all.f > 0) || !all.b), "(u < 1 & f > 0.0) | !b");
  EXPECT_PROBLEM(v.u && v.b, "'&&' takes bool, not u32: compare with 0 first");
  EXPECT_PROBLEM(v.b || v.f, "'||' takes bool, not f32: compare with 0 first");
  EXPECT_PROBLEM(!v.u, "'!' takes bool, not u32: compare with 0, or write ~ for the bits");
}

TEST(Value, UnaryPlusIsTheValueItself) {
  const Values v;
  EXPECT_EQ(text(+v.f), "f");
}

// `if (a < b)` in C++ does not compile.
static_assert(!std::is_constructible_v<bool, Value>);
static_assert(!std::is_convertible_v<const char*, Value>);

}  // namespace
}  // namespace vyre::ir
