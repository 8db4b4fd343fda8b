#include "report/text.h"

#include <gtest/gtest.h>

#include <limits>

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

TEST(Text, TimesHaveFourDigitsAndAFittingUnit) {
  EXPECT_EQ(time_text(1.2), "1.200 ms");
  EXPECT_EQ(time_text(0.08532), "85.32 µs");
  EXPECT_EQ(time_text(640.12), "640.1 ms");
  EXPECT_EQ(time_text(0.00000125), "1.250 ns");
  EXPECT_EQ(time_text(12'345), "12.35 s");
}

TEST(Text, WhatRoundsToAThousandIsOneOfTheNextUnit) {
  EXPECT_EQ(time_text(0.99999), "1.000 ms");
  EXPECT_EQ(time_text(0.9999), "999.9 µs");
}

TEST(Text, AnIntervalHasOneUnitForBothEnds) {
  EXPECT_EQ(interval_text({0.99, 1.01}), "0.9900 – 1.010 ms");
  EXPECT_EQ(interval_text({0, 1}), "");
  EXPECT_EQ(interval_text({2, 1}), "");
}

TEST(Text, RatiosHaveDigitsThatMeanSomething) {
  EXPECT_EQ(ratio_text(1.004), "1.00×");
  EXPECT_EQ(ratio_text(23.45), "23.4×");
  EXPECT_EQ(ratio_text(234.5), "234×");
  EXPECT_EQ(ratio_interval_text({0.991, 1.014}), "0.99 – 1.01×");
}

TEST(Text, OnlyNumbersAboveZeroAreDrawable) {
  EXPECT_TRUE(is_drawable(1e-9));
  for (const double value : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN(), 1e-310}) {
    EXPECT_FALSE(is_drawable(value)) << value;
  }
}

TEST(Text, DatesAreInUtc) {
  using namespace std::chrono_literals;
  EXPECT_EQ(date_text(std::chrono::sys_days(2026y / 11 / 6) + 3h + 7min + 59s),
            "2026-11-06 03:07 UTC");
}

}  // namespace
}  // namespace vyre::report
