#include "ir/range.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <random>

#include "support/programs.h"

namespace vyre::ir {
namespace {

constexpr std::int64_t i32_min = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t i32_max = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t u32_max = std::numeric_limits<std::uint32_t>::max();

Expr named(const char* name, Scalar scalar = Scalar::u32) { return Var{name, {scalar}}; }

// What a statement's operation gives for two values: the words beside the nodes, once more.
std::int64_t evaluate(BinaryOp op, Scalar scalar, std::int64_t a, std::int64_t b) {
  using enum BinaryOp;
  const auto wrap = [&](std::int64_t v) -> std::int64_t {
    const auto bits = static_cast<std::uint32_t>(v);
    return scalar == Scalar::u32 ? std::int64_t{bits} : static_cast<std::int32_t>(bits);
  };
  const auto count = b & 31;
  switch (op) {
    case add:
      return wrap(a + b);
    case sub:
      return wrap(a - b);
    case mul:
      return wrap(
          static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)));
    case div:
      return b == 0 ? 0 : wrap(a / b);
    case rem:
      return b == 0 ? a : a % b;
    case min:
      return std::min(a, b);
    case max:
      return std::max(a, b);
    case bit_and:
      return a & b;
    case bit_or:
      return a | b;
    case bit_xor:
      return wrap(a ^ b);
    case shl:
      return wrap(static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << count));
    default:
      return a >> count;
  }
}

// An interval of a type with one of its values, small and extreme ones more often.
struct Sample {
  Interval values;
  std::int64_t value;
};

class Samples {
 public:
  Sample next(Scalar scalar) {
    const Interval all = full_range(scalar);
    const std::int64_t a = value(all);
    const std::int64_t b = random() % 3 == 0 ? a : value(all);
    const Interval values = {std::min(a, b), std::max(a, b)};
    const auto width = static_cast<std::uint64_t>(values.hi - values.lo) + 1;
    return {values, values.lo + static_cast<std::int64_t>(random() % width)};
  }

 private:
  std::uint64_t random() { return generator_(); }
  std::int64_t value(Interval all) {
    const auto small = static_cast<std::int64_t>(random() % 40);
    switch (random() % 4) {
      case 0:
        return all.lo + small;
      case 1:
        return all.hi - small;
      case 2:
        return std::clamp(small - 20, all.lo, all.hi);
      default:
        return all.lo + static_cast<std::int64_t>(random() % (1ULL << 32U));
    }
  }
  std::mt19937_64 generator_{12};
};

TEST(Ranges, AnOperationsResultLiesInTheIntervalOfItsOperands) {
  using enum BinaryOp;
  Samples samples;
  for (const Scalar scalar : {Scalar::u32, Scalar::i32}) {
    for (const BinaryOp op :
         {add, sub, mul, div, rem, min, max, bit_and, bit_or, bit_xor, shl, shr}) {
      for (int n = 0; n < 20000; ++n) {
        const Sample a = samples.next(scalar);
        const Sample b = samples.next(scalar);
        const Interval all = wrapped(apply(op, scalar, a.values, b.values), scalar);
        const std::int64_t value = evaluate(op, scalar, a.value, b.value);
        ASSERT_TRUE(all.contains(value))
            << "operation " << static_cast<int>(op) << " of " << a.value << " in [" << a.values.lo
            << ", " << a.values.hi << "] and " << b.value << " in [" << b.values.lo << ", "
            << b.values.hi << "]: " << value;
      }
    }
  }
}

TEST(Ranges, AnExpressionThatCannotWrapHasExactBounds) {
  Ranges ranges;
  ranges.know("row", {0, 9});
  ranges.know("col", {0, 4});
  const Expr index =
      Binary{BinaryOp::add, Binary{BinaryOp::mul, named("row"), literal(5U)}, named("col")};
  EXPECT_EQ(ranges.of(index), (Interval{0, 49}));
  EXPECT_FALSE(ranges.may_wrap(index));
}

TEST(Ranges, ARemainderIsKnownWhereTheQuotientIsOneValue) {
  const auto remainder = [](Interval of, Interval by) {
    return apply(BinaryOp::rem, Scalar::u32, of, by);
  };
  EXPECT_EQ(remainder({1000, 1000}, {16, 16}), (Interval{8, 8}));
  EXPECT_EQ(remainder({33, 40}, {16, 16}), (Interval{1, 8}));
  EXPECT_EQ(remainder({31, 32}, {16, 16}), (Interval{0, 15}));
}

// What was counted at all values between the bounds.
template <class Count>
Interval counted(Interval of, Count count) {
  Interval all = {64, 0};
  for (std::int64_t value = of.lo; value <= of.hi; ++value) {
    const std::int64_t bits = count(static_cast<std::uint32_t>(value));
    all = {std::min(all.lo, bits), std::max(all.hi, bits)};
  }
  return all;
}

TEST(Ranges, LeadingZerosAreKnownAsWellAsTheNumberIs) {
  for (const Interval bounds : {Interval{0, 0},
                                {0, 9},
                                {1, 1},
                                {7, 8},
                                {40, 300},
                                {-5, -1},
                                {-3, 20},
                                {-1, 0},
                                {i32_min, i32_min},
                                {i32_max, i32_max}}) {
    EXPECT_EQ(apply(UnaryOp::clz, Scalar::i32, bounds),
              counted(bounds, [](std::uint32_t x) { return std::countl_zero(x); }))
        << bounds.lo << " .. " << bounds.hi;
  }
  EXPECT_EQ(apply(UnaryOp::clz, Scalar::u32, {0, u32_max}), (Interval{0, 32}));
  EXPECT_EQ(apply(UnaryOp::clz, Scalar::u32, {16, u32_max}), (Interval{0, 27}));
}

TEST(Ranges, SetBitsAreAsManyAsTheGreatestNumberAllows) {
  const auto ones = [](Interval of) { return apply(UnaryOp::popcount, Scalar::i32, of); };
  for (std::int64_t most = 0; most < 70; ++most) {
    EXPECT_EQ(ones({0, most}), counted({0, most}, [](std::uint32_t x) { return std::popcount(x); }))
        << most;
  }
  EXPECT_EQ(ones({5, 5}), (Interval{2, 2}));
  EXPECT_EQ(ones({5, 6}), (Interval{1, 2}));
  EXPECT_EQ(ones({-1, -1}), (Interval{32, 32}));
  EXPECT_EQ(ones({-9, -3}), (Interval{1, 32}));
  EXPECT_EQ(ones({-9, 3}), (Interval{0, 32}));
  EXPECT_EQ(apply(UnaryOp::popcount, Scalar::u32, {0, u32_max}), (Interval{0, 32}));
}

TEST(Ranges, BitsOfIntegersOf64AreAtMost64) {
  for (const UnaryOp op : {UnaryOp::popcount, UnaryOp::clz}) {
    for (const Scalar scalar : {Scalar::u64, Scalar::i64}) {
      const Expr bits = Unary{op, named("x", scalar)};
      EXPECT_EQ(Ranges().of(Convert{Scalar::u32, bits}), (Interval{0, 64}));
      const Expr more = Binary{BinaryOp::add, bits, bits};
      EXPECT_EQ(Ranges().of(Convert{Scalar::u32, more}), (Interval{0, u32_max}));
    }
  }
}

TEST(Ranges, AnExpressionThatMayWrapCanHaveAnyValue) {
  Ranges ranges;
  ranges.know("i", {0, 9});
  const Expr before = Binary{BinaryOp::sub, named("i"), literal(1U)};
  EXPECT_TRUE(ranges.may_wrap(before));
  EXPECT_EQ(ranges.of(before), (Interval{0, u32_max}));
  const Expr least = Unary{UnaryOp::neg, named("k", Scalar::i32)};
  EXPECT_TRUE(ranges.may_wrap(least));
  EXPECT_EQ(ranges.of(least), (Interval{i32_min, i32_max}));
}

TEST(Ranges, AConditionNarrowsBothSidesUntilItIsUndone) {
  Ranges ranges;
  ranges.know("i", {0, 99});
  ranges.know("n", {0, 10});
  const std::size_t mark = ranges.mark();
  ranges.assume(Binary{BinaryOp::lt, named("i"), named("n")}, true);
  EXPECT_EQ(ranges.of(named("i")), (Interval{0, 9}));
  EXPECT_EQ(ranges.of(named("n")), (Interval{1, 10}));
  ranges.undo(mark);
  ranges.assume(Binary{BinaryOp::lt, named("i"), named("n")}, false);
  EXPECT_EQ(ranges.of(named("i")), (Interval{0, 99}));
  EXPECT_EQ(ranges.of(named("n")), (Interval{0, 10}));
}

TEST(Ranges, AConditionOnASumNarrowsItsOperand) {
  Ranges ranges;
  ranges.know("i", {0, 99});
  ranges.assume(Binary{BinaryOp::lt, Binary{BinaryOp::add, named("i"), literal(3U)}, literal(10U)},
                true);
  EXPECT_EQ(ranges.of(named("i")), (Interval{0, 6}));
}

TEST(Ranges, AConditionOnAnIntegerOfTheOtherKindNarrowsItWhereBothCanHoldIt) {
  for (const bool both : {true, false}) {
    Ranges ranges;
    ranges.know("x", {0, both ? 1000 : u32_max});
    const Expr as_i32 = Convert{Scalar::i32, named("x")};
    const Expr two_less = Binary{BinaryOp::sub, as_i32, literal(2)};
    ranges.assume(Binary{BinaryOp::ge, two_less, literal(0)}, true);
    ranges.assume(Binary{BinaryOp::le, as_i32, literal(9)}, true);
    EXPECT_EQ(ranges.of(named("x")), (both ? Interval{2, 9} : Interval{0, u32_max}));
  }
}

TEST(Ranges, AConditionOnASumThatMayWrapSaysNothing) {
  Ranges ranges;
  ranges.assume(Binary{BinaryOp::lt, Binary{BinaryOp::add, named("i"), literal(3U)}, literal(10U)},
                true);
  EXPECT_EQ(ranges.of(named("i")), (Interval{0, u32_max}));
}

// The bounds of the last let of these statements, which stand in a program with n = 64 fixed.
Interval of_last(std::string_view statements) {
  const Program program = testing::parsed(testing::in_body(statements));
  Ranges ranges;
  ranges.know("n", {64, 64});
  ranges.know(Id{IdKind::invocation, 0}, {0, 63});
  ranges.pass(program.body);
  const auto* last = as<Let>(program.body.back());
  return ranges.of(Var{last->name, last->value.type()});
}

TEST(Ranges, AnAssignedVariableHasTheValueOfEitherBranch) {
  EXPECT_EQ(of_last("var a = 3 if invocation.x < 5 { a = 7 } else { a = 4 } let z = a"),
            (Interval{4, 7}));
  EXPECT_EQ(of_last("var a = 3 if invocation.x < 5 { a = 7 } let z = a"), (Interval{3, 7}));
}

TEST(Ranges, AVariableKeepsTheBoundsThatALoopKeeps) {
  EXPECT_EQ(of_last("var w = 32 for k in 0 .. 6 { w = w / 2 } let z = w"), (Interval{0, 32}));
  EXPECT_EQ(of_last("var w = 1 for k in 0 .. n { w = min(w + k, 9) } let z = w"), (Interval{0, 9}));
}

TEST(Ranges, AVariableThatALoopGrowsCanHaveAnyValue) {
  EXPECT_EQ(of_last("var w = 1 for k in 0 .. n { w = w + 1 } let z = w"), (Interval{0, u32_max}));
  EXPECT_EQ(of_last("var a = 0 var w = 1 for k in 0 .. n { a = w w = w + 1 } let z = a"),
            (Interval{0, u32_max}));
}

TEST(Ranges, ALoopThatMayNotRunLeavesWhatWasBefore) {
  EXPECT_EQ(of_last("var a = 5 for k in 0 .. u[0] { a = 3 } let z = a").hi, 5);
}

TEST(Ranges, ALoopsVariableStopsBelowItsEnd) {
  EXPECT_EQ(loop_values({0, 0}, {10, 10}, {1, 1}, Scalar::u32), (Interval{0, 9}));
  EXPECT_EQ(loop_values({0, 0}, {64, 64}, {16, 16}, Scalar::u32), (Interval{0, 48}));
  EXPECT_EQ(loop_values({2, 5}, {7, 20}, {1, 3}, Scalar::i32), (Interval{2, 19}));
}

TEST(Ranges, ALoopsVariableThatMayComeRoundHasNoLowerBound) {
  EXPECT_EQ(loop_values({5, 5}, {u32_max, u32_max}, {2, 2}, Scalar::u32),
            (Interval{0, u32_max - 1}));
  EXPECT_EQ(loop_values({5, 5}, {9, 9}, {-1, -1}, Scalar::i32), (Interval{i32_min, 8}));
}

}  // namespace
}  // namespace vyre::ir
