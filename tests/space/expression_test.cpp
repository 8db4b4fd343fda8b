#include "space/expression.h"

#include <gtest/gtest.h>

#include <map>

namespace vyre::space {
namespace {

using Names = std::map<std::string, Value, std::less<>>;

Expression::Bindings bound(const Names& names) {
  return [&names](std::string_view name) -> std::optional<Value> {
    const auto found = names.find(name);
    return found == names.end() ? std::nullopt : std::optional(found->second);
  };
}

// The result as text, or the message.
std::string worth(std::string_view text, const Names& names = {}) {
  const auto parsed = Expression::parse(text);
  if (!parsed) return "refused " + to_string(parsed.error());
  const auto value = parsed->evaluate(bound(names));
  return value ? to_string(*value) : to_string(value.error());
}

std::string listed(std::string_view text) {
  const auto parsed = Expression::parse(text);
  if (!parsed) return "refused " + to_string(parsed.error());
  const auto values = parsed->evaluate_list(nullptr);
  if (!values) return to_string(values.error());
  std::string made;
  for (const Value& value : *values) made += (made.empty() ? "" : " ") + to_string(value);
  return made;
}

std::string refusal(std::string_view text) {
  const auto parsed = Expression::parse(text);
  return parsed ? "accepted" : to_string(parsed.error());
}

Value integer(std::int64_t value) { return value; }

TEST(Expression, ConditionsOfTunersHoldOrDoNot) {
  const Names names = {
      {"block_size_x", integer(64)}, {"block_size_y", integer(8)},     {"tile_size_x", integer(2)},
      {"tile_stride_x", integer(1)}, {"use_padding", integer(0)},      {"use_shmem", integer(1)},
      {"KWG", integer(32)},          {"MDIMC", integer(16)},           {"NDIMC", integer(8)},
      {"MDIMA", integer(32)},        {"method", std::string("shared")}};
  for (const std::string_view holds :
       {"32 <= block_size_x * block_size_y <= 1024", "use_padding==0 or block_size_x % 32 != 0",
        "use_shmem == 0 or ((block_size_x*tile_size_x+(15-1))*(block_size_y+(15-1))) < 12*1024",
        "tile_size_x > 1 or tile_stride_x == 0", "KWG % ((MDIMC * NDIMC)/MDIMA) == 0",
        "not (MDIMC == 128 and NDIMC == 8)", "block_size_x in [16, 32, 64]",
        "block_size_x not in (1, 2)", "method == 'shared' and method != \"global\"",
        "min(block_size_x, block_size_y) == 8", "(1 if use_padding else 2) == 2",
        "all(block_size_x % d == 0 for d in [2, 4, 8])"}) {
    EXPECT_EQ(worth(holds, names), "True") << holds;
  }
  EXPECT_EQ(worth("block_size_x*block_size_y<=256", names), "False");
}

TEST(Expression, ValuesAreListsRangesAndComprehensions) {
  EXPECT_EQ(listed("[1, 2, 4] + list(range(8, 25, 8))"), "1 2 4 8 16 24");
  EXPECT_EQ(listed("[2**i for i in range(0, 6)]"), "1 2 4 8 16 32");
  EXPECT_EQ(listed("[i*j for i in range(1, 4) if i != 2 for j in (10, 100)]"), "10 100 30 300");
  EXPECT_EQ(listed("['a', \"b\", True, .5, ]"), "a b True 0.5");
  EXPECT_EQ(listed("[]"), "");
  EXPECT_EQ(listed("7"), "7");
  EXPECT_EQ(listed("[[i, i] for i in range(2)]"), "1:1: an item is not a single value");
}

TEST(Expression, AComprehensionsFirstListIsOutsideOfIt) {
  EXPECT_EQ(worth("sum([i for i in range(i)])", {{"i", integer(4)}}), "6");
  EXPECT_EQ(worth("len([i for i in [1, 2]]) + i", {{"i", integer(4)}}), "6");
}

TEST(Expression, DivisionAndRemainderRoundDown) {
  EXPECT_EQ(worth("-7 // 2"), "-4");
  EXPECT_EQ(worth("-7 % 3"), "2");
  EXPECT_EQ(worth("7 % -3"), "-2");
  EXPECT_EQ(worth("-7.5 // 2"), "-4.0");
  EXPECT_EQ(worth("7 / 2"), "3.5");
  EXPECT_EQ(worth("8 / 2"), "4.0");
}

TEST(Expression, PrecedencesArePythons) {
  EXPECT_EQ(worth("-2 ** 2"), "-4");
  EXPECT_EQ(worth("2 ** -1"), "0.5");
  EXPECT_EQ(worth("2 ** 3 ** 2"), "512");
  EXPECT_EQ(worth("not 1 == 2"), "True");
  EXPECT_EQ(worth("1 < 2 < 2"), "False");
  EXPECT_EQ(worth("True + True"), "2");
  EXPECT_EQ(worth("0 or 'x'"), "x");
  EXPECT_EQ(worth("1 if 0 else 2 if 0 else 3"), "3");
}

TEST(Expression, AnIntegerBeyond64BitsIsAnErrorAndNeverWraps) {
  EXPECT_EQ(worth("9223372036854775807 + 1"), "1:21: an integer is beyond 64 bits");
  EXPECT_EQ(worth("2 ** 62 * 2"), "1:9: an integer is beyond 64 bits");
  EXPECT_EQ(worth("(-2) ** 63"), "-9223372036854775808");
  EXPECT_EQ(worth("(-2) ** 63 // -1"), "1:12: an integer is beyond 64 bits");
  EXPECT_EQ(worth("(-1) ** 9223372036854775807"), "-1");
  EXPECT_EQ(worth("10 ** 1000000000"), "1:4: an integer is beyond 64 bits");
  EXPECT_EQ(worth("9 ** 9 ** 9"), "1:3: an integer is beyond 64 bits");
  EXPECT_EQ(worth("10.0 ** 400"), "1:6: a power is beyond the largest float");
  EXPECT_EQ(refusal("99999999999999999999"), "1:1: 99999999999999999999 is beyond 64 bits");
}

TEST(Expression, IntegersAndFloatsCompareWithoutRounding) {
  EXPECT_EQ(worth("9007199254740993 == 9007199254740992.0"), "False");
  EXPECT_EQ(worth("9007199254740993 > 9007199254740992.0"), "True");
  EXPECT_EQ(worth("9223372036854775807 / 3"), "3.0744573456182584e+18");
}

TEST(Expression, WhatHasNoResultIsAnErrorWithItsPlace) {
  EXPECT_EQ(worth("1 + 2 / 0"), "1:7: division by zero");
  EXPECT_EQ(worth("x % 0", {{"x", 1.5}}), "1:3: division by zero");
  EXPECT_EQ(worth("0 ** -1"), "1:3: division by zero");
  EXPECT_EQ(worth("1 < 'a'"), "1:3: the operation is not defined for these types");
  EXPECT_EQ(worth("(-8) ** 0.5"), "1:6: a negative number to a fractional power is not real");
  EXPECT_EQ(worth("min([])"), "1:1: the least or greatest of nothing");
  EXPECT_EQ(worth("y + 1", {}), "'y' is not a parameter");
}

TEST(Expression, AnErrorThatIsNotReachedIsNone) {
  EXPECT_EQ(worth("x == 0 or 8 % x == 0", {{"x", integer(0)}}), "True");
  EXPECT_EQ(worth("1 if x == 0 else 8 // x", {{"x", integer(0)}}), "1");
  EXPECT_EQ(worth("2 < 1 < 1 / 0"), "False");
}

TEST(Expression, MistakesAreRefusedWithTheirPlace) {
  EXPECT_EQ(refusal(""), "1:1: expected a value, found the end");
  EXPECT_EQ(refusal("1 +\n  * 2"), "2:3: expected a value, found '*'");
  EXPECT_EQ(refusal("(1, 2"), "1:6: expected ',', found the end");
  EXPECT_EQ(refusal("a b"), "1:3: expected an operator or the end, found 'b'");
  EXPECT_EQ(refusal("open('x')"), "1:1: there is no function 'open'");
  EXPECT_EQ(refusal("'abc"), "1:1: the string is not closed");
  EXPECT_EQ(refusal("1 if 2"), "1:7: expected 'else', found the end");
  EXPECT_EQ(refusal("a is 3"), "1:3: 'is' is not part of the language: use ==");
  EXPECT_EQ(refusal("len(1, 2)"), "1:1: the function takes another number of arguments");
  for (const std::string_view text :
       {"2x", "1__0", "007", "lambda: 1", "a.b", "a[0]", "x = 1", "[i for i]", "[i for in x]",
        "a and", "not", "1 not 2", "\"\\q\"", "1e999", "{}"}) {
    EXPECT_NE(refusal(text), "accepted") << text;
  }
}

TEST(Expression, SizeDepthAndListsAreBounded) {
  EXPECT_NE(refusal(std::string(1'000'000, '1')), "accepted");
  for (const std::string_view opening :
       {"(", "[", "not ", "-", "1 if ", "2**", "min(", "[i for i in "}) {
    std::string deep;
    while (deep.size() < 60'000) deep += opening;
    EXPECT_NE(refusal(deep), "accepted") << opening;
    EXPECT_NE(refusal(deep + "1"), "accepted") << opening;
  }
  std::string sum = "1";
  for (int i = 0; i < 10'000; ++i) sum += "+1";
  EXPECT_NE(refusal(sum), "accepted");
  std::string chain = "a == 1";
  for (int i = 0; i < 4'000; ++i) chain += " or a == 1";
  EXPECT_EQ(refusal(chain), "accepted");
  EXPECT_EQ(listed("range(10**12)"), "1:1: a list or a string is too long");
  EXPECT_EQ(listed("[0] * 10**9"), "1:5: a list or a string is too long");
  EXPECT_EQ(listed("'ab' * 10**9"), "1:6: a list or a string is too long");
  EXPECT_EQ(listed("[[0] * 999] * 10**6"), "1:13: a list or a string is too long");
  EXPECT_EQ(worth("len([1 for i in range(10**4) for j in range(10**4)])"),
            "1:39: a list or a string is too long");
}

TEST(Expression, NamesAreListedOnceInOrder) {
  const auto parsed = Expression::parse("b * a + b + len([c for c in [d]]) + max(a, 1)");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->names(), (std::vector<std::string>{"b", "a", "d"}));
}

}  // namespace
}  // namespace vyre::space
