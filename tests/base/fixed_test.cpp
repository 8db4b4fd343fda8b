#include "base/fixed.h"

#include <gtest/gtest.h>

namespace vyre {
namespace {

constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();

TEST(Fixed, OneIsSixtyFiveThousandFiveHundredAndThirtySix) {
  EXPECT_EQ(to_fixed(1), 65536);
  EXPECT_EQ(to_fixed(-0.5), -32768);
  EXPECT_EQ(from_fixed(65536 * 3 / 2), 1.5);
  EXPECT_EQ(from_fixed(-1), -1.0 / 65536);
}

TEST(Fixed, ConversionRoundsToNearestWithTiesToEven) {
  EXPECT_EQ(to_fixed(0.5 / 65536), 0);
  EXPECT_EQ(to_fixed(1.5 / 65536), 2);
  EXPECT_EQ(to_fixed(-0.75 / 65536), -1);
}

TEST(Fixed, ConversionSaturatesAndTakesNanAsZero) {
  EXPECT_EQ(to_fixed(32768), most);
  EXPECT_EQ(to_fixed(-32768), least);
  EXPECT_EQ(to_fixed(1e300), most);
  EXPECT_EQ(to_fixed(-std::numeric_limits<double>::infinity()), least);
  EXPECT_EQ(to_fixed(std::numeric_limits<double>::quiet_NaN()), 0);
}

TEST(Fixed, MultiplyRoundsDownAndSaturates) {
  EXPECT_EQ(fixed_multiply(to_fixed(1.5), to_fixed(-2.5)), to_fixed(-3.75));
  EXPECT_EQ(fixed_multiply(1, 1), 0);
  EXPECT_EQ(fixed_multiply(-1, 1), -1);
  EXPECT_EQ(fixed_multiply(most, fixed_one), most);
  EXPECT_EQ(fixed_multiply(least, fixed_one), least);
  EXPECT_EQ(fixed_multiply(least, -fixed_one), most);
  EXPECT_EQ(fixed_multiply(least, least), most);
  EXPECT_EQ(fixed_multiply(most, least), least);
}

TEST(Fixed, SubtractSaturates) {
  EXPECT_EQ(fixed_subtract(5, 7), -2);
  EXPECT_EQ(fixed_subtract(least, 1), least);
  EXPECT_EQ(fixed_subtract(0, least), most);
}

}  // namespace
}  // namespace vyre
