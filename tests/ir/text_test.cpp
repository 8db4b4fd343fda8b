// The text form: what the grammar page says, the round trip, and messages with places.
#include "vyre/ir/text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/programs.h"

namespace vyre::ir {
namespace {

using testing::in_body;
using testing::parsed;
using testing::problems_of;

TEST(Text, AProgramReadsAsItIsWritten) {
  const Program p = parsed(R"(
    program saxpy {
      uniform n: u32 = 1024   // elements
      uniform a: f32 = 2.0
      buffer x: f32[n] read
      buffer y: f32[n] read_write
      grid n
      let i = invocation.x
      y[i] = fma(a, x[i], y[i])
    })");
  EXPECT_EQ(p.name, "saxpy");
  ASSERT_EQ(p.uniforms.size(), 2U);
  EXPECT_EQ(p.uniforms[1].value, (Literal{Scalar::f32, 0x40000000}));
  ASSERT_EQ(p.buffers.size(), 2U);
  EXPECT_EQ(p.buffers[1].access, Access::read_write);
  EXPECT_EQ(p.workgroup, default_workgroup);
  const Expr i = Var{"i", {Scalar::u32}};
  const Expr value =
      Fma{Var{"a", {Scalar::f32}}, Load{"x", Scalar::f32, i}, Load{"y", Scalar::f32, i}};
  const Block expected = {{Let{"i", Id{IdKind::invocation, 0}}}, {Store{"y", i, value}}};
  EXPECT_EQ(p.body, expected);
}

TEST(Text, AMarkThatOrderDoesNotMatterIsKept) {
  const Program p = parsed("program p { buffer y: f32[4] write\ngrid 4\nreassociate\ny[0] = 1.0 }");
  EXPECT_TRUE(p.reassociate);
  EXPECT_EQ(parsed(print(p)), p);
  const auto twice = parse("program p { grid 4\nreassociate\nreassociate }");
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().message, "'reassociate' is given twice");
}

TEST(Text, WorkgroupsInWhichTheResultsAreTheSameAreKept) {
  const Program p = parsed("program p { grid 64, 8\nworkgroup 16, 4 or 8, 8 or 64 or 1, 1, 2 }");
  EXPECT_EQ(p.workgroup, (Extent{16, 4, 1}));
  EXPECT_EQ(p.other_workgroups, (std::vector<Extent>{{8, 8, 1}, {64, 1, 1}, {1, 1, 2}}));
  EXPECT_EQ(parsed(print(p)), p);
}

TEST(Text, ANameOrAfterTheWorkgroupIsAName) {
  const Program p = parsed("program p { buffer or: u32[4] write\nworkgroup 64\nor[0] = 1 }");
  EXPECT_EQ(p.body.size(), 1U);
  EXPECT_EQ(parsed(print(p)), p);
}

TEST(Text, OperatorsBindAsTheGrammarSays) {
  const auto same = [](std::string_view a, std::string_view b) {
    EXPECT_EQ(parsed(in_body(fmt::format("let r = {}", a))),
              parsed(in_body(fmt::format("let r = {}", b))))
        << a << " against " << b;
  };
  same("1 + 2 * 3", "1 + (2 * 3)");
  same("1 - 2 - 3", "(1 - 2) - 3");
  same("1 << 2 + 3", "1 << (2 + 3)");
  same("1 & 2 | 3 ^ 4", "(1 & 2) | (3 ^ 4)");
  same("1 < 2 & 3 == 4", "(1 < 2) & (3 == 4)");
  same("-u[0] * 2", "(-u[0]) * 2");
  same("-v[0:4].1", "-(v[0:4].1)");
  same("1i - -2i", "1i - (-2i)");
  same("-f32(u[0:2]).1", "-(f32(u[0:2]).1)");
  same("2.0 * -f32.inf", "2.0 * (-f32.inf)");
}

TEST(Text, EveryConstructSurvivesTheRoundTrip) {
  for (const auto& [name, text] : testing::sample_programs()) {
    const Program p = parsed(text);
    const std::string printed = print(p);
    EXPECT_EQ(parsed(printed), p) << name << "\n" << printed;
    EXPECT_EQ(print(parsed(printed)), printed) << name;
  }
}

TEST(Text, LiteralsKeepEveryBit) {
  const std::vector<Expr> literals = {
      literal(0U),
      literal(0xffffffffU),
      literal(0),
      literal(-1),
      literal(INT32_MIN),
      literal(INT32_MAX),
      literal(0.1F),
      literal(-0.0F),
      literal(1e-45F),
      literal(3.4e38F),
      literal(1.0e20F),
      literal(INFINITY),
      literal(-INFINITY),
      literal(NAN),
      literal(0.1),
      literal(5e-324),
      literal(1.0e300),
      literal(-0.0),
      literal(true),
      literal(false),
      literal(std::uint64_t{0}),
      literal(UINT64_MAX),
      literal(INT64_MIN),
      literal(INT64_MAX),
      literal(std::int64_t{-1}),
  };
  for (const Expr& e : literals) {
    const Program p = parsed(in_body("let r = " + print(e)));
    EXPECT_EQ(std::get<Let>(p.body.back().node).value, e) << print(e);
  }
}

TEST(Text, NumbersOf64BitsHaveTheirTypeAsASuffix) {
  const auto value = [](const char* text) {
    return std::get<Let>(parsed(in_body(std::string("let r = ") + text)).body.back().node).value;
  };
  EXPECT_EQ(value("5000000000u64"), literal(std::uint64_t{5'000'000'000}));
  EXPECT_EQ(value("0xffffffffffu64"), literal(std::uint64_t{0xffffffffff}));
  EXPECT_EQ(value("-7i64"), literal(std::int64_t{-7}));
  EXPECT_EQ(value("0x10i64"), literal(std::int64_t{16}));
  const auto wrong = [](const char* text) {
    return problems_of(in_body(std::string("let r = ") + text))[0].message;
  };
  EXPECT_EQ(wrong("18446744073709551616u64"), "18446744073709551616u64 does not fit in u64");
  EXPECT_EQ(wrong("-1u64"), "-1u64 does not fit in u64");
  EXPECT_EQ(wrong("9223372036854775808i64"), "9223372036854775808i64 does not fit in i64");
}

TEST(Text, AMinusBeforeANumberBelongsToTheNumber) {
  const Program p = parsed(in_body("let r = -(1.0)\nlet t = -1.0"));
  EXPECT_EQ(std::get<Let>(p.body[0].node).value, Expr(Unary{UnaryOp::neg, literal(1.0F)}));
  EXPECT_EQ(std::get<Let>(p.body[1].node).value, literal(-1.0F));
}

struct Mistake {
  std::string_view body;
  std::string_view message;  // the whole message, with its place
};

class TextMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(TextMistakes, AreReportedWithTheirPlace) {
  const Problems problems = problems_of(in_body(GetParam().body));
  ASSERT_EQ(problems.size(), 1U) << testing::listed(problems);
  EXPECT_EQ(to_string(problems[0]), GetParam().message);
}

// in_body puts the text at line 11, column 1.
INSTANTIATE_TEST_SUITE_P(
    All, TextMistakes,
    ::testing::Values(
        Mistake{"let = 3", "11:5: expected the name of a value, found '='"},
        Mistake{"let let = 3",
                "11:5: 'let' cannot be the name of a value: it is a word of the language"},
        Mistake{"let r = ", "12:1: expected an expression, found '}'"},
        Mistake{"let r = (1 + 2", "12:1: expected ')' to close the parenthesis, found '}'"},
        Mistake{"let r = 1 < 2 < 3", "11:15: comparisons do not chain: write a < b & b < c"},
        Mistake{"let r = 4294967296", "11:9: 4294967296 does not fit in u32"},
        Mistake{"let r = -2147483649i", "11:9: -2147483649i does not fit in i32"},
        Mistake{"let r = -1",
                "11:9: -1 is negative, but without a suffix it is u32: write it with i for i32, or "
                ".0 for f32"},
        Mistake{"let r = 1q",
                "11:9: 1q is not a number: the suffixes are i for i32, d for f64, u64 and i64"},
        Mistake{"let r = 1e99", "11:9: 1e99 is not a number that fits in f32"},
        Mistake{
            "let r = frob(1.0)",
            "11:9: there is no function 'frob'; there are abs, sqrt, rsqrt, exp, exp2, log, "
            "log2, pow, sin, cos, tan, tanh, floor, ceil, round, popcount, clz, min, max, fma and "
            "select, sum, min, max, any and all of the lanes of a vector, conversions such as "
            "f32(x), as_u32, as_i32, as_f32, and splat2 to splat16"},
        Mistake{"let r = min(1, 2, 3)", "11:9: min takes 2 arguments, not 3"},
        Mistake{"let r = sum(v[0 : 2], 1.0)", "11:9: sum takes 1 argument, not 2"},
        Mistake{"let r = invocation",
                "12:1: expected '.' after 'invocation', as in invocation.x, found '}'"},
        Mistake{"let r = invocation.w", "11:20: expected x, y or z, found 'w'"},
        Mistake{"let r = u[0:3]", "11:13: expected 2, 4, 8 or 16 lanes after ':', found '3'"},
        Mistake{"region 7 { }", "11:8: expected the region's name in quotes, found '7'"},
        Mistake{"let r = \"a", "11:9: expected an expression, found a string without its end"},
        Mistake{"let r = 1 $ 2", "11:11: expected a statement, found '$'"},
        Mistake{"grid 7", "11:1: 'grid' is given twice"},
        Mistake{"u[0] = 1\nshared w: f32[2]",
                "12:1: 'shared' must stand before the first statement"},
        Mistake{"u[0] = v[0:4].1 + @", "11:19: expected an expression, found '@'"},
        Mistake{"y[0:4] = 1.0",
                "11:1: y[...] stores 4 elements, but the value is f32: write y[i]"}));

// What is written in other languages, and what the message says to write instead.
struct Foreign {
  std::string_view body;
  std::string_view advice;
};

class TextFromOtherLanguages : public ::testing::TestWithParam<Foreign> {};

TEST_P(TextFromOtherLanguages, IsOneProblemThatSaysWhatToWriteInstead) {
  const Problems problems = problems_of(in_body(GetParam().body));
  ASSERT_EQ(problems.size(), 1U) << testing::listed(problems);
  EXPECT_EQ(problems[0].place.line, 11U);
  EXPECT_NE(problems[0].message.find(GetParam().advice), std::string::npos) << problems[0].message;
}

INSTANTIATE_TEST_SUITE_P(
    All, TextFromOtherLanguages,
    ::testing::Values(
        Foreign{"loop { u[0] = u[0] + 1 }", "while condition { ... }"},
        Foreign{"if u[0] == 1 { continue }", "an `if`"},
        Foreign{"for (int i = 0; i < 3; i++) { u[0] = 1 }", "for i in 0 .. n { ... }"},
        Foreign{"if u[0] == 1 { return }", "an `if`"}, Foreign{"if u[0] == 1 { break }", "an `if`"},
        Foreign{"if u[0] == 1 && u[1] == 1 { u[0] = 2 }", "write &"},
        Foreign{"if u[0] == 1 || u[1] == 1 { u[0] = 2 }", "write |"},
        Foreign{"if u[0] == 1 and u[1] == 1 { u[0] = 2 }", "write &"},
        Foreign{"var k = 1 k++", "x += 1"},
        Foreign{"u[0] = u[1] ? 2 : 3", "select(condition, yes, no)"},
        Foreign{"let r = clamp(1.0, 0.0, 2.0)", "min(max(x, low), high)"},
        Foreign{"let r = __popc(u[0])", "popcount(x)"},
        Foreign{"let r = ctz(u[0])", "popcount(~x & (x - 1))"},
        Foreign{"let r = erf(1.0)", "there are abs, sqrt, rsqrt, exp"},
        Foreign{"let r = 2.0 ** 3.0", "pow(x, y)"}, Foreign{"float r = 1.0", "write f32"},
        Foreign{"int r = 1", "write i32"}, Foreign{"let r = float(1)", "write f32"},
        Foreign{"const r = 1", "`let x = ...`"}, Foreign{"u[0] = 1;", "no sign at its end"},
        Foreign{"# note", "starts with //"}, Foreign{"/* note", "starts with //"}));

TEST(Text, WordsOfOtherLanguagesAreFreeToBeNames) {
  parsed(in_body("var float = 1.0 float = 2.0 float += 1.0 let sin = float u[0] = u32(sin)"));
}

TEST(Text, CompoundAssignmentsAreReadAsWhatTheyStandFor) {
  EXPECT_EQ(parsed(in_body("var k = 1 k += 2 k <<= k - 1 y[k + 1] -= v[k] y[k : 4] *= v[0 : 4] "
                           "b[0] ^= true s[2] >>= 1i u[k] /= 3 u[0] %= 4 u[0] &= 5 u[0] |= 6")),
            parsed(in_body("var k = 1 k = k + 2 k = k << (k - 1) y[k + 1] = y[k + 1] - v[k] "
                           "y[k : 4] = y[k : 4] * v[0 : 4] b[0] = b[0] ^ true s[2] = s[2] >> 1i "
                           "u[k] = u[k] / 3 u[0] = u[0] % 4 u[0] = u[0] & 5 u[0] = u[0] | 6")));
}

TEST(Text, NamesOfFunctionsThatCameLaterAreFreeToBeNames) {
  const std::string body =
      "var round = 1.5 let pow = 2.0 var sum = pow(round(round), pow) "
      "sum = sum + sum([sum, pow]) y[0] = max(min(v[0 : 4]), sum) "
      "let popcount = 7 let clz = popcount(popcount) u[0] = clz(clz)";
  const Program program = parsed(in_body(body));
  EXPECT_EQ(parsed(print(program)), program);
}

TEST(Text, TypesThatCameLaterAreFreeToBeNames) {
  const Program program = parsed(
      "program u8 { buffer f16: f16[4] read  buffer i8: i8[4] write  grid 4\n"
      "let u16 = f16[invocation.x]  i8[invocation.x] = i32(u16) }");
  EXPECT_EQ(parsed(print(program)), program);
}

TEST(Text, AByteOrderMarkBeforeTheTextIsPassedOver) {
  const std::string text = print(parsed(in_body("u[0] = 2")));
  EXPECT_EQ(parsed("\xef\xbb\xbf" + text), parsed(text));
  EXPECT_EQ(problems_of("\xef\xbb\xbfprogam p { }")[0].place, (Place{1, 1}));
  EXPECT_FALSE(parse(text + "\xef\xbb\xbf"));
}

TEST(Text, TheNumberOfDeclarationsIsBounded) {
  const auto with = [](std::size_t uniforms, std::size_t buffers) {
    std::string text = "program p {\n";
    for (std::size_t i = 0; i < uniforms; ++i) text += fmt::format("uniform v{}: u32 = 1\n", i);
    for (std::size_t i = 0; i < buffers; ++i) text += fmt::format("buffer b{}: f32[4] read\n", i);
    return text + "grid 4\n}";
  };
  EXPECT_TRUE(parse(with(max_declared - 1, 1)));
  const Problems problems = problems_of(with(max_declared / 2, max_declared / 2 + 1));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].message,
            "the program has 4097 buffers and uniforms; at most 4096 are accepted: put several "
            "into one buffer");
}

TEST(Text, AllMistakesAreReportedAtOnceAndInOrder) {
  const Problems problems = problems_of(in_body(R"(let p = (1
let q = c + 1
u[0] = 1.5
if 3 { let r = }
let t = 1 + 1.0)"));
  ASSERT_EQ(problems.size(), 6U) << testing::listed(problems);
  for (std::size_t i = 1; i < problems.size(); ++i) {
    EXPECT_LE(problems[i - 1].place.line, problems[i].place.line);
  }
}

TEST(Text, AMistakeDoesNotBringOthersWithIt) {
  const Problems problems = problems_of(in_body("let p = )\nlet q = p + 1\nu[p] = q"));
  EXPECT_EQ(problems.size(), 1U) << testing::listed(problems);
}

TEST(Text, TextThatEndsTooSoonIsRefused) {
  const std::string whole = print(parsed(in_body("if u[0] == 1 { u[0] = 2 }")));
  for (std::size_t length = 0; length + 2 < whole.size(); ++length) {
    EXPECT_FALSE(parse(whole.substr(0, length)).has_value()) << whole.substr(0, length);
  }
}

TEST(Text, NestingIsBounded) {
  const auto repeated = [](std::string_view part) {
    std::string text;
    for (int i = 0; i < 10'000; ++i) text += part;
    return text;
  };
  for (const std::string& body : {
           "let r = " + repeated("(") + "1" + repeated(")"),
           "let r = " + repeated("-") + "u[0]",
           "let r = " + repeated("1 + ") + "1",
           "let r = " + repeated("min(1, ") + "1" + repeated(")"),
           "let r = " + repeated("u[") + "0" + repeated("]"),
           repeated("if true {") + repeated("}"),
           repeated("if true {} else ") + "if true {}",
           repeated("region \"r\" {") + repeated("}"),
       }) {
    const Problems problems = problems_of(in_body(body));
    EXPECT_NE(problems[0].message.find("deeper than 200"), std::string::npos)
        << problems[0].message;
  }
}

TEST(Text, TheSizeOfTheTextIsBounded) {
  const Problems problems = problems_of(std::string(max_text_bytes + 1, ' '));
  EXPECT_EQ(problems[0].message, "the text has 16777217 bytes; at most 16777216 are accepted");
}

TEST(Text, AThousandMistakesAreReportedAsAHundred) {
  std::string body;
  for (int i = 0; i < 1000; ++i) body += "let = 3\n";
  EXPECT_EQ(problems_of(in_body(body)).size(), max_problems);
}

}  // namespace
}  // namespace vyre::ir
