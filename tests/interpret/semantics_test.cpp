// What each operation computes, in closed form: the words in vyre/ir/expr.h, row by row.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "support/launch.h"

namespace vyre::interpret {
namespace {

using testing::after;
using testing::Launch;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t most_u32 = std::numeric_limits<std::uint32_t>::max();

// One invocation that stores one scalar.
template <class T>
T value(std::string_view scalar, std::string_view expr) {
  const std::string text = fmt::format(
      "program p {{ buffer out: {}[1] write  grid 1  workgroup 1  out[0] = {} }}", scalar, expr);
  return after<T>(text, "out")[0];
}

template <class T>
struct Row {
  const char* expr;
  T expected;
};

// Floats are compared by their bits; every nan is alike.
template <class T>
void expect_rows(std::string_view scalar, const std::vector<Row<T>>& rows) {
  for (const auto& [expr, expected] : rows) {
    const T got = value<T>(scalar, expr);
    if constexpr (std::is_floating_point_v<T>) {
      EXPECT_EQ(std::isnan(got), std::isnan(expected)) << expr << " is " << got;
      if (std::isnan(expected)) continue;
      EXPECT_EQ(std::signbit(got), std::signbit(expected)) << expr << " is " << got;
    }
    EXPECT_EQ(got, expected) << expr;
  }
}

TEST(Meaning, UnsignedArithmeticWrapsAndIsTotal) {
  expect_rows<std::uint32_t>("u32", {
                                        {"4294967295 + 2", 1},
                                        {"1 - 2", most_u32},
                                        {"65536 * 65537", 65536},
                                        {"7 / 2", 3},
                                        {"7 / 0", 0},
                                        {"7 % 4", 3},
                                        {"7 % 0", 7},
                                        {"min(3, 4294967295)", 3},
                                        {"max(3, 4294967295)", most_u32},
                                        {"-(1 + 0)", most_u32},
                                        {"abs(4294967295)", most_u32},
                                        {"~5", 0xfffffffa},
                                        {"12 & 10", 8},
                                        {"12 | 10", 14},
                                        {"12 ^ 10", 6},
                                    });
}

TEST(Meaning, SignedArithmeticWrapsAndTruncatesTowardsZero) {
  expect_rows<std::int32_t>("i32", {
                                       {"2147483647i + 1i", least},
                                       {"-2147483648i - 1i", most},
                                       {"65536i * 65536i", 0},
                                       {"-7i / 2i", -3},
                                       {"7i / -2i", -3},
                                       {"-7i / 0i", 0},
                                       {"-2147483648i / -1i", least},
                                       {"-7i % 4i", -3},
                                       {"7i % -4i", 3},
                                       {"-7i % 0i", -7},
                                       {"-2147483648i % -1i", 0},
                                       {"min(-3i, 2i)", -3},
                                       {"max(-3i, 2i)", 2},
                                       {"-(-2147483648i)", least},
                                       {"abs(-2147483648i)", least},
                                       {"abs(-5i)", 5},
                                       {"~5i", -6},
                                       {"-1i & 6i", 6},
                                       {"-8i | 3i", -5},
                                       {"-1i ^ 1i", -2},
                                   });
}

TEST(Meaning, ShiftCountsAreTakenModulo32) {
  expect_rows<std::uint32_t>("u32", {
                                        {"1 << 31", 0x80000000},
                                        {"1 << 32", 1},
                                        {"1 << 33", 2},
                                        {"0x80000000 >> 31", 1},
                                        {"0x80000000 >> 32", 0x80000000},
                                        {"3 << 4294967295", 0x80000000},
                                    });
  expect_rows<std::int32_t>("i32", {
                                       {"1i << 31i", least},
                                       {"-8i >> 1i", -4},
                                       {"-1i >> 31i", -1},
                                       {"-8i >> 33i", -4},
                                       {"5i << -31i", 10},
                                   });
}

TEST(Meaning, FloatArithmeticIsIeee) {
  expect_rows<float>("f32", {
                                {"1.0 / 0.0", inf},
                                {"-1.0 / 0.0", -inf},
                                {"0.0 / 0.0", NAN},
                                {"16777216.0 + 1.0", 16777216.0F},
                                {"16777216.0 + 3.0", 16777220.0F},
                                {"1e-38 * 1e-5", 1e-38F * 1e-5F},  // subnormal, not flushed
                                {"3e38 * 10.0", inf},
                                {"f32.inf - f32.inf", NAN},
                                {"-(0.0 + 0.0)", -0.0F},
                                {"abs(-0.0)", 0.0F},
                                {"abs(-2.5)", 2.5F},
                                {"1.0 / 3.0", 1.0F / 3.0F},
                            });
  expect_rows<double>("f64", {
                                 {"1.0d / 3.0d", 1.0 / 3.0},
                                 {"16777216.0d + 1.0d", 16777217.0},
                                 {"-(1.0d - 1.0d)", -0.0},
                                 {"abs(-f64.inf)", std::numeric_limits<double>::infinity()},
                             });
}

TEST(Meaning, MinAndMaxPreferTheNumberToANan) {
  expect_rows<float>("f32", {
                                {"min(f32.nan, 2.0)", 2.0F},
                                {"min(2.0, f32.nan)", 2.0F},
                                {"max(f32.nan, -f32.inf)", -inf},
                                {"max(-f32.inf, f32.nan)", -inf},
                                {"min(f32.nan, f32.nan)", NAN},
                                {"max(f32.nan, f32.nan)", NAN},
                                {"min(-f32.inf, 1.0)", -inf},
                                {"max(1.0, 2.0)", 2.0F},
                            });
  expect_rows<double>("f64", {{"min(f64.nan, 2.0d)", 2.0}, {"max(2.0d, f64.nan)", 2.0}});
}

TEST(Meaning, FmaRoundsOnceAndNothingElseIsContracted) {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, whose last term f32 cannot hold.
  expect_rows<float>("f32", {
                                {"fma(1.000244140625, 1.000244140625, -1.00048828125)", 0x1p-24F},
                                {"1.000244140625 * 1.000244140625 - 1.00048828125", 0.0F},
                                {"fma(f32.inf, 0.0, 1.0)", NAN},
                            });
  expect_rows<double>(
      "f64", {{"fma(1.0000000149011612d, 1.0000000149011612d, -1.0000000298023224d)", 0x1p-52}});
}

TEST(Meaning, RootsExponentialsAndLogarithmsAreTotal) {
  expect_rows<float>("f32", {
                                {"sqrt(2.0)", 1.41421354F},
                                {"sqrt(-1.0)", NAN},
                                {"sqrt(-0.0)", -0.0F},
                                {"exp(0.0)", 1.0F},
                                {"exp(1.0)", 2.71828175F},
                                {"exp(1000.0)", inf},
                                {"exp(-f32.inf)", 0.0F},
                                {"log(1.0)", 0.0F},
                                {"log(0.0)", -inf},
                                {"log(-0.0)", -inf},
                                {"log(-1.0)", NAN},
                                {"log(10.0)", 2.30258512F},
                            });
  expect_rows<double>("f64", {
                                 {"sqrt(2.0d)", 1.4142135623730951},
                                 {"exp(1.0d)", 2.7182818284590451},
                                 {"log(0.0d)", -std::numeric_limits<double>::infinity()},
                             });
}

TEST(Meaning, AnglesAreReducedHoweverLargeTheyAre) {
  expect_rows<float>("f32", {
                                {"sin(0.5)", 0.47942554F},
                                {"sin(-0.0)", -0.0F},
                                {"sin(1e30)", -0.79116344F},
                                {"sin(f32.inf)", NAN},
                                {"cos(0.0)", 1.0F},
                                {"cos(1e30)", -0.61160479F},
                                {"cos(f32.nan)", NAN},
                                {"tan(0.5)", 0.54630250F},
                                {"tan(-f32.inf)", NAN},
                                {"tanh(0.5)", 0.46211717F},
                                {"tanh(-f32.inf)", -1.0F},
                                {"tanh(f32.nan)", NAN},
                            });
  expect_rows<double>("f64", {{"sin(0.5d)", 0.479425538604203}, {"tan(f64.inf)", NAN}});
}

TEST(Meaning, RoundingIsExactAndTakesHalvesAwayFromZero) {
  expect_rows<float>("f32", {
                                {"floor(-0.5)", -1.0F},
                                {"floor(2.5)", 2.0F},
                                {"floor(-0.0)", -0.0F},
                                {"floor(f32.nan)", NAN},
                                {"ceil(2.5)", 3.0F},
                                {"ceil(-0.5)", -0.0F},
                                {"ceil(-f32.inf)", -inf},
                                {"round(2.5)", 3.0F},
                                {"round(-2.5)", -3.0F},
                                {"round(0.49999997)", 0.0F},
                                {"round(-0.3)", -0.0F},
                                {"round(16777217.0)", 16777216.0F},
                            });
  expect_rows<double>("f64", {{"round(0.5d)", 1.0}, {"floor(-1e300d)", -1e300}});
}

TEST(Meaning, PowersOfTwoAndOfAnythingAreTotal) {
  expect_rows<float>("f32", {
                                {"exp2(10.0)", 1024.0F},
                                {"exp2(-149.0)", 0x1p-149F},
                                {"exp2(128.0)", inf},
                                {"log2(8.0)", 3.0F},
                                {"log2(0.0)", -inf},
                                {"log2(-1.0)", NAN},
                                {"rsqrt(4.0)", 0.5F},
                                {"rsqrt(0.0)", inf},
                                {"rsqrt(-0.0)", -inf},
                                {"rsqrt(-1.0)", NAN},
                                {"rsqrt(f32.inf)", 0.0F},
                                {"pow(2.0, 10.0)", 1024.0F},
                                {"pow(-2.0, 3.0)", -8.0F},
                                {"pow(-8.0, 0.5)", NAN},
                                {"pow(f32.nan, 0.0)", 1.0F},
                                {"pow(1.0, f32.nan)", 1.0F},
                                {"pow(-0.0, -3.0)", -inf},
                                {"pow(0.5, f32.inf)", 0.0F},
                                {"pow(as_f32(0x7f800001), 0.0)", 1.0F},
                            });
  expect_rows<double>("f64", {{"pow(2.0d, 0.5d)", 1.4142135623730951}, {"rsqrt(16.0d)", 0.25}});
}

TEST(Meaning, LanesAreReducedByHalves) {
  // In the order of the lanes each 1.0 would be lost beside 2^24; by halves they meet first.
  expect_rows<float>("f32", {
                                {"sum([16777216.0, 1.0, -16777216.0, 1.0])", 2.0F},
                                {"sum([16777216.0, -16777216.0, 1.0, 1.0])", 1.0F},
                                {"sum([1.5, 2.5])", 4.0F},
                                {"min([4.0, f32.nan, -1.0, 2.0])", -1.0F},
                                {"max(splat16(f32.nan))", NAN},
                            });
  expect_rows<std::uint32_t>("u32", {{"sum([4294967295, 1, 2, 3])", 5}, {"min([3, 2])", 2}});
  expect_rows<std::int32_t>("i32", {{"sum([2147483647i, 1i])", least}, {"max([-3i, -2i])", -2}});
  expect_rows<double>("f64", {{"sum([1.0d, 2.0d, 3.0d, 4.0d, 5.0d, 6.0d, 7.0d, 8.0d])", 36.0}});
}

TEST(Meaning, EveryComparisonIsFalseForNanExceptUnequal) {
  for (const char* scalar : {"f32", "f64"}) {
    const std::string d = scalar == std::string_view("f64") ? "d" : "";
    for (const auto& [left, right] : std::vector<std::pair<std::string, std::string>>{
             {fmt::format("{}.nan", scalar), "1.0" + d},
             {"1.0" + d, fmt::format("{}.nan", scalar)},
             {fmt::format("{}.nan", scalar), fmt::format("{}.nan", scalar)}}) {
      for (const char* op : {"==", "<", "<=", ">", ">=", "!="}) {
        const std::string expr = fmt::format("{} {} {}", left, op, right);
        EXPECT_EQ(value<std::uint8_t>("bool", expr), op == std::string_view("!=")) << expr;
      }
    }
  }
}

TEST(Meaning, ComparisonsFollowTheTypesOrder) {
  const struct {
    const char *less, *more;
  } pairs[] = {{"1", "4294967295"}, {"-1i", "1i"}, {"-1.0", "0.5"}, {"-f64.inf", "1.0d"}};
  const struct {
    const char* op;
    bool if_less, if_equal, if_more;
  } rows[] = {
      {"==", false, true, false}, {"!=", true, false, true}, {"<", true, false, false},
      {"<=", true, true, false},  {">", false, false, true}, {">=", false, true, true},
  };
  for (const auto& [a, b] : pairs) {
    for (const auto& [op, if_less, if_equal, if_more] : rows) {
      const auto holds = [&, o = op](const char* l, const char* r) {
        return value<std::uint8_t>("bool", fmt::format("{} {} {}", l, o, r)) == 1;
      };
      EXPECT_EQ(holds(a, b), if_less) << a << op << b;
      EXPECT_EQ(holds(a, a), if_equal) << a << op << a;
      EXPECT_EQ(holds(b, a), if_more) << b << op << a;
    }
  }
  EXPECT_TRUE(value<std::uint8_t>("bool", "0.0 == -0.0"));
}

TEST(Meaning, BoolsHaveLogicOperations) {
  expect_rows<std::uint8_t>("bool", {
                                        {"true & false", 0},
                                        {"true & true", 1},
                                        {"true | false", 1},
                                        {"false | false", 0},
                                        {"true ^ true", 0},
                                        {"true ^ false", 1},
                                        {"!true", 0},
                                        {"!(1 > 2)", 1},
                                        {"true == false", 0},
                                        {"true != false", 1},
                                    });
}

TEST(Meaning, FloatsConvertToIntegersByTruncationWithSaturation) {
  expect_rows<std::int32_t>("i32", {
                                       {"i32(-2.9)", -2},
                                       {"i32(2.9)", 2},
                                       {"i32(3e9)", most},
                                       {"i32(2147483648.0)", most},
                                       {"i32(-3e9)", least},
                                       {"i32(-2147483648.0)", least},
                                       {"i32(f32.nan)", 0},
                                       {"i32(-f32.inf)", least},
                                       {"i32(2147483647.9d)", most},
                                       {"i32(2147483646.9d)", most - 1},
                                       {"i32(-2147483648.9d)", least},
                                       {"i32(f64.nan)", 0},
                                   });
  expect_rows<std::uint32_t>("u32", {
                                        {"u32(2.9)", 2},
                                        {"u32(-0.9)", 0},
                                        {"u32(-5.0)", 0},
                                        {"u32(4294967296.0)", most_u32},
                                        {"u32(4294967040.0)", 4294967040},
                                        {"u32(f32.inf)", most_u32},
                                        {"u32(f32.nan)", 0},
                                        {"u32(4294967295.9d)", most_u32},
                                        {"u32(3000000000.5d)", 3000000000},
                                    });
}

TEST(Meaning, OtherConversionsKeepBitsRoundOrAskForZero) {
  expect_rows<std::uint32_t>("u32", {{"u32(-1i)", most_u32}, {"u32(true)", 1}, {"u32(7)", 7}});
  expect_rows<std::int32_t>("i32", {{"i32(4294967295)", -1}, {"i32(false)", 0}});
  expect_rows<float>("f32", {
                                {"f32(16777217)", 16777216.0F},
                                {"f32(16777219)", 16777220.0F},
                                {"f32(4294967295)", 4294967296.0F},
                                {"f32(-16777217i)", -16777216.0F},
                                {"f32(true)", 1.0F},
                                {"f32(1e300d)", inf},
                                {"f32(0.1d)", 0.1F},
                                {"f32(f64.nan)", NAN},
                            });
  expect_rows<double>("f64", {{"f64(4294967295)", 4294967295.0},
                              {"f64(0.1)", static_cast<double>(0.1F)},
                              {"f64(-3i)", -3.0}});
  expect_rows<std::uint8_t>("bool", {{"bool(0)", 0},
                                     {"bool(256)", 1},
                                     {"bool(-1i)", 1},
                                     {"bool(-0.0)", 0},
                                     {"bool(1e-40)", 1},
                                     {"bool(f32.nan)", 1},
                                     {"bool(1e-300d)", 1},
                                     {"bool(true)", 1}});
}

TEST(Meaning, BitcastsKeepTheBits) {
  EXPECT_EQ(value<std::uint32_t>("u32", "as_u32(-1.5)"), 0xbfc00000U);
  EXPECT_EQ(value<std::uint32_t>("u32", "as_u32(-2i)"), 0xfffffffeU);
  EXPECT_EQ(value<std::int32_t>("i32", "as_i32(-0.0)"), least);
  EXPECT_EQ(value<float>("f32", "as_f32(0x40490fdb)"), std::bit_cast<float>(0x40490fdbU));
  EXPECT_EQ(value<std::uint32_t>("u32", "as_u32(as_f32(0x7fa12345))"), 0x7fa12345U);
}

TEST(Meaning, SelectChoosesLaneByLane) {
  EXPECT_EQ(value<float>("f32", "select(true, 1.0, f32.nan)"), 1.0F);
  EXPECT_EQ(value<std::int32_t>("i32", "select(1 > 2, 5i, -5i)"), -5);
  EXPECT_EQ(value<double>("f64", "select([true, false], splat2(1.0d), [2.0d, 3.0d]).1"), 3.0);
  EXPECT_EQ(value<std::uint8_t>("bool", "select(false, true, false)"), 0);
}

TEST(Meaning, VectorsWorkLaneByLane) {
  EXPECT_EQ(
      after<std::uint32_t>("program p { buffer out: u32[16] write  grid 1  workgroup 1\n"
                           "let a = [1, 2, 3, 4]\n"
                           "let b = a * splat4(10) + [a.3, a.2, a.1, a.0]\n"
                           "out[0 : 4] = b\n"
                           "out[4 : 8] = splat8(b.2 - 1)\n"
                           "out[12 : 2] = u32([a.0 > a.1, a.0 < a.1])\n"
                           "out[14 : 2] = select([true, false], splat2(7), splat2(8)) }",
                           "out"),
      (std::vector<std::uint32_t>{14, 23, 32, 41, 31, 31, 31, 31, 31, 31, 31, 31, 0, 1, 7, 8}));
}

TEST(Meaning, WideVectorsOfF64MixWithNarrowTypes) {
  const auto got = Launch(
                       "program p { buffer x: f32[16] read  buffer out: f64[16] write\n"
                       "grid 1  workgroup 1\n"
                       "let v = f64(x[0 : 16])\n"
                       "let w = fma(v, v, splat16(0.5d))\n"
                       "out[0 : 16] = select(w > splat16(50.0d), w, -v) }")
                       .set<float>("x", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
                       .run()
                       .get<double>("out");
  for (std::size_t i = 0; i < 16; ++i) {
    const auto x = static_cast<double>(i);
    EXPECT_EQ(got[i], i < 8 ? -x : x * x + 0.5) << i;
  }
}

// The dense loops handle many invocations at once, in vectors with a remainder.
TEST(Meaning, ManyInvocationsComputeWhatOneComputes) {
  const char* text =
      "program p { buffer x: f32[1003] read  buffer q: i32[1003] write  buffer r: u32[1003] write\n"
      "grid 1003\n"
      "let i = invocation.x\n"
      "q[i] = i32(x[i])\n"
      "r[i] = (i * 2654435761 >> (i & 31)) / (i % 7) }";
  std::vector<float> x(1003);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = i % 5 == 0 ? NAN : (static_cast<float>(i) - 500.0F) * 1e7F;
  }
  Launch launch(text);
  launch.set("x", x).run();
  const auto q = launch.get<std::int32_t>("q");
  const auto r = launch.get<std::uint32_t>("r");
  for (std::uint32_t i = 0; i < 1003; ++i) {
    const double clamped = std::clamp(static_cast<double>(x[i]), -2147483648.0, 2147483647.0);
    EXPECT_EQ(q[i], i % 5 == 0 ? 0 : static_cast<std::int32_t>(clamped)) << i;
    const std::uint32_t shifted = (i * 2654435761U) >> (i % 32);
    EXPECT_EQ(r[i], i % 7 == 0 ? 0 : shifted / (i % 7)) << i;
  }
}

}  // namespace
}  // namespace vyre::interpret
