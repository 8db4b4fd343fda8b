#include "report/axis.h"

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

}  // namespace
}  // namespace vyre::report
