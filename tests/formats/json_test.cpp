// The reader of JSON: what it takes, what it refuses and where.
#include "formats/json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace vyre::formats {
namespace {

using space::Value;

std::optional<Value> only(std::string_view text) {
  Json json(text);
  auto value = json.scalar();
  json.finish();
  EXPECT_FALSE(json.failed()) << text << ": " << json.error().message;
  return value;
}

// The message with its place.
std::string refusal(std::string_view text) {
  Json json(text);
  json.skip();
  json.finish();
  return json.failed() ? to_string(json.error()) : "";
}

TEST(Json, IntegersOf64BitsStayWhole) {
  EXPECT_EQ(only("0"), Value(std::int64_t{0}));
  EXPECT_EQ(only(" -7 "), Value(std::int64_t{-7}));
  EXPECT_EQ(only("9223372036854775807"), Value(std::numeric_limits<std::int64_t>::max()));
  EXPECT_EQ(only("-9223372036854775808"), Value(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(only("9223372036854775808"), Value(0x1p63));
}

TEST(Json, OtherNumbersAreFloats) {
  EXPECT_EQ(only("2.5"), Value(2.5));
  EXPECT_EQ(only("1e3"), Value(1000.0));
  EXPECT_EQ(only("-1.5E-2"), Value(-0.015));
  EXPECT_EQ(only("1e999"), Value(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(only("1e-999"), Value(0.0));
}

TEST(Json, WordsAreTruthsNothingAndPythonsNumbers) {
  EXPECT_EQ(only("true"), Value(true));
  EXPECT_EQ(only("false"), Value(false));
  EXPECT_EQ(only("null"), std::nullopt);
  EXPECT_EQ(only("Infinity"), Value(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(only("-Infinity"), Value(-std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(std::isnan(std::get<double>(*only("NaN"))));
}

TEST(Json, EscapesAreWhatTheyStandFor) {
  EXPECT_EQ(only(R"("\"\\\/\b\f\n\r\t")"), Value("\"\\/\b\f\n\r\t"));
  EXPECT_EQ(only(R"("\u0041\u00e9\u20ac")"), Value("A\xc3\xa9\xe2\x82\xac"));
  EXPECT_EQ(only(R"("\u007f\u0080\u07ff\u0800\uffff")"),
            Value("\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf"));
  EXPECT_EQ(only(R"("\ud83d\ude00 \ud800\udc00 \udbff\udfff")"),
            Value("\xf0\x9f\x98\x80 \xf0\x90\x80\x80 \xf4\x8f\xbf\xbf"));
}

TEST(Json, MistakesAreRefusedWhereTheyAre) {
  EXPECT_EQ(refusal("[1 2]"), "1:4: expected ',' or ']', found '2'");
  EXPECT_EQ(refusal("{\"a\" 1}"), "1:6: expected ':' after the name, found '1'");
  EXPECT_EQ(refusal("{\"a\": 1,\n \"b\"; 2}"), "2:5: expected ':' after the name, found ';'");
  EXPECT_EQ(refusal("{1: 2}"), "1:2: expected a string, found '1'");
  EXPECT_EQ(refusal("[1.2.3]"), "1:2: expected a number, found '1'");
  EXPECT_EQ(refusal("[tru]"), "1:2: expected a value, found 't'");
  EXPECT_EQ(refusal("\"\\x\""), "1:3: expected an escape such as \\n or \\u00e9, found 'x'");
  EXPECT_EQ(refusal("\"\\u12\""), "1:4: expected an escape such as \\n or \\u00e9, found '1'");
  EXPECT_EQ(refusal("\"a\nb\""), "1:3: expected '\"' to end the string, found '\n'");
  EXPECT_EQ(refusal("1 2"), "1:3: text after the end of the value");
  EXPECT_EQ(refusal("[1,]"), "1:4: expected a value, found ']'");
  EXPECT_EQ(refusal(""), "1:1: expected a value, found the end");
}

TEST(Json, OnlyTextThatEndedIsCutOff) {
  for (const std::string_view text : {"", "[", "[1", "[1,", "{\"a", "{\"a\"", "{\"a\":", "\"\\"}) {
    Json json(text);
    json.skip();
    EXPECT_TRUE(json.failed() && json.cut_off()) << text;
    json.forgive();
    EXPECT_FALSE(json.failed()) << text;
  }
  for (const std::string_view text : {"[1 2", "{1", "?", "[1.2.3]"}) {
    Json json(text);
    json.skip();
    EXPECT_TRUE(json.failed() && !json.cut_off()) << text;
  }
}

TEST(Json, DepthIsBounded) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(refusal(nested(Json::max_depth)), "");
  EXPECT_EQ(refusal(nested(Json::max_depth + 1)), "1:65: nested deeper than 64");
  // What was left again does not count.
  EXPECT_EQ(refusal("[" + nested(60) + "," + nested(60) + "]"), "");
}

TEST(Json, MembersAndElementsAreWalkedOneByOne) {
  Json json(R"( {"a": [1, 2.5, -3], "b": {"c": "x"}, "d": null} )");
  ASSERT_TRUE(json.enter_object());
  ASSERT_TRUE(json.next_member());
  EXPECT_EQ(json.key(), "a");
  std::vector<double> numbers;
  json.enter_array();
  while (json.next_element()) numbers.push_back(json.number());
  EXPECT_EQ(numbers, (std::vector<double>{1, 2.5, -3}));
  ASSERT_TRUE(json.next_member());
  EXPECT_EQ(json.key(), "b");
  EXPECT_EQ(json.peek(), JsonKind::object);
  json.skip();
  ASSERT_TRUE(json.next_member());
  EXPECT_EQ(json.key(), "d");
  EXPECT_EQ(json.scalar(), std::nullopt);
  EXPECT_FALSE(json.next_member());
  json.finish();
  EXPECT_FALSE(json.failed());
}

TEST(Json, AValueOfAnotherKindIsAFailureWhereOneKindIsAskedFor) {
  for (const std::string_view text : {"\"1\"", "null", "[1]", "true"}) {
    Json json(text);
    static_cast<void>(json.number());
    EXPECT_TRUE(json.failed()) << text;
  }
  Json json("7");
  EXPECT_EQ(json.string(), "");
  EXPECT_TRUE(json.failed());
  Json list("[1, [2]]");
  static_cast<void>(list.scalars());
  EXPECT_TRUE(list.failed());
}

TEST(Json, TheFirstFailureIsTheOneThatIsReported) {
  Json json("[?, ??]");
  json.skip();
  json.fail("later");
  EXPECT_EQ(to_string(json.error()), "1:2: expected a value, found '?'");
}

}  // namespace
}  // namespace vyre::formats
