#include "report/drawing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace vyre::report {
namespace {

TEST(Axis, EqualFactorsAreEqualDistances) {
  const LogAxis axis(std::vector{1.0, 1000.0}, 0, 300);
  EXPECT_NEAR(axis.at(10) - axis.at(1), axis.at(1000) - axis.at(100), 1e-9);
  EXPECT_LT(axis.at(1), axis.at(10));
}

TEST(Axis, ItMayRunDownwards) {
  const LogAxis axis(std::vector{1.0, 8.0}, 200, 20);
  EXPECT_GT(axis.at(1), axis.at(8));
}

TEST(Axis, AllValuesLieWithinTheEdgesWithRoom) {
  const LogAxis axis(std::vector{3.0, 0.02, 7.0}, 10, 90);
  EXPECT_GT(axis.at(0.02), 10);
  EXPECT_LT(axis.at(7), 90);
  EXPECT_EQ(axis.at(1e9), 90);
}

TEST(Axis, TicksAreFewRoundAndWithin) {
  for (double low = 1e-30; low < 1e30; low *= 7.3) {
    for (double range = 1; low * range <= 1e30; range *= 1.37) {
      const LogAxis axis(std::vector{low, low * range}, 0, 1);
      const auto ticks = axis.ticks(6);
      ASSERT_GE(ticks.size(), 2U) << low << " to " << low * range;
      ASSERT_LE(ticks.size(), 8U) << low << " to " << low * range;
      ASSERT_GE(ticks.front(), axis.value_at(0) * (1 - 1e-9));
      ASSERT_LE(ticks.back(), axis.value_at(1) * (1 + 1e-9));
      for (const double tick : ticks) {
        const double digits = tick / std::pow(10, std::floor(std::log10(tick)) - 2);
        ASSERT_NEAR(digits, std::round(digits), 1e-6) << tick << ": more than three digits";
      }
    }
  }
}

TEST(Svg, CoordinatesAreAsShortAsATenthAllows) {
  EXPECT_EQ(coordinate(12.34), "12.3");
  EXPECT_EQ(coordinate(12.0), "12");
  EXPECT_EQ(coordinate(-0.01), "0");
}

TEST(Svg, TextAndTipsAreEscaped) {
  Svg svg(10, 20, "a<b");
  svg.text(1, 2, Anchor::end, "tick", "<i>", "c&d");
  EXPECT_EQ(std::move(svg).finish(), R"(<svg viewBox="0 0 10 20" role="img" aria-label="a&lt;b">)"
                                     R"(<text class="tick" x="1" y="2" text-anchor="end">&lt;i&gt;)"
                                     "<title>c&amp;d</title></text></svg>\n");
}

TEST(Whisker, AnIntervalThatCannotBeDrawnIsLeftOut) {
  const LogAxis axis = cell_axis(std::vector{1.0, 2.0});
  EXPECT_NE(whisker(axis, 1.5, {1.4, 1.6}, "even").find("<line"), std::string::npos);
  EXPECT_EQ(whisker(axis, 1.5, {0, 1.6}, "even").find("<line"), std::string::npos);
}

}  // namespace
}  // namespace vyre::report
