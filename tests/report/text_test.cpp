#include "report/text.h"

#include <gtest/gtest.h>

namespace vyre::report {
namespace {

TEST(Text, WhatMeansSomethingInHtmlIsEscaped) {
  EXPECT_EQ(escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
}

TEST(Text, ControlCharactersBecomeSpaces) {
  EXPECT_EQ(escaped(std::string_view("a\nb\tc\0d\x7f", 8)), "a b c d ");
}

TEST(Text, Utf8IsKeptAndWhatIsNoneIsReplaced) {
  EXPECT_EQ(escaped("µ × 日本 😀"), "µ × 日本 😀");
  EXPECT_EQ(escaped("\xFF"), "\uFFFD");
  EXPECT_EQ(escaped("a\xC2"), "a\uFFFD");          // cut off
  EXPECT_EQ(escaped("\xC2<"), "\uFFFD&lt;");       // the next character is not swallowed
  EXPECT_EQ(escaped("\x80z"), "\uFFFDz");          // a continuation of nothing
  EXPECT_EQ(escaped("\xC0\xBC"), "\uFFFD\uFFFD");  // a < that is written too long
}

TEST(Text, ShortenedTextEndsInAnEllipsisAndCutsNoCharacter) {
  EXPECT_EQ(shortened("four", 4), "four");
  EXPECT_EQ(shortened("fives", 4), "fiv…");
  EXPECT_EQ(shortened("日本語です", 3), "日本…");
  EXPECT_EQ(shortened("", 3), "");
}

TEST(Text, CountsHaveTheirNumber) {
  EXPECT_EQ(counted(0, "attempt"), "0 attempts");
  EXPECT_EQ(counted(1, "attempt"), "1 attempt");
}

}  // namespace
}  // namespace vyre::report
