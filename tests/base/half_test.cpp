#include "vyre/base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace vyre {
namespace {

// The value of finite bits, by the formula of the format.
double value_of(std::uint16_t bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  const int exponent = bits >> 10U & 31U;
  const double fraction = bits & 0x3ffU;
  return exponent == 0 ? sign * std::ldexp(fraction, -24)
                       : sign * std::ldexp(1024 + fraction, exponent - 25);
}

bool is_finite(std::uint16_t bits) { return (bits & 0x7c00U) != 0x7c00U; }

TEST(Half, EveryValueIsReadExactlyAndComesBack) {
  for (std::uint32_t all = 0; all <= 0xffffU; ++all) {
    const auto bits = static_cast<std::uint16_t>(all);
    const float value = Half::from_bits(bits);
    if (std::isnan(value)) continue;
    ASSERT_EQ(Half(value).bits(), bits);
    if (is_finite(bits)) {
      ASSERT_EQ(static_cast<double>(value), value_of(bits)) << bits;
    }
  }
}

TEST(Half, RoundsToTheNearestAndOfTwoToTheEven) {
  for (std::uint16_t bits = 0; bits < 0x7bffU; ++bits) {
    const auto next = static_cast<std::uint16_t>(bits + 1);
    const auto middle = static_cast<float>((value_of(bits) + value_of(next)) / 2);
    ASSERT_EQ(Half(middle).bits(), bits % 2 == 0 ? bits : next);
    ASSERT_EQ(Half(std::nextafter(middle, 0.0F)).bits(), bits);
    ASSERT_EQ(Half(std::nextafter(middle, 1e6F)).bits(), next);
    ASSERT_EQ(Half(-middle).bits(), 0x8000U | Half(middle).bits());
  }
}

TEST(Half, WhatIsTooLargeBecomesAnInfinityAndANanStaysOne) {
  EXPECT_EQ(Half(65519.996F).bits(), 0x7bffU);
  EXPECT_EQ(Half(65520.0F).bits(), 0x7c00U);
  EXPECT_EQ(Half(-1e30F).bits(), 0xfc00U);
  EXPECT_EQ(Half(std::numeric_limits<float>::infinity()).bits(), 0x7c00U);
  EXPECT_TRUE(std::isnan(float{Half(std::numeric_limits<float>::quiet_NaN())}));
  EXPECT_TRUE(std::isnan(float{Half(std::numeric_limits<float>::signaling_NaN())}));
  EXPECT_TRUE(std::isnan(float{Half::from_bits(0x7c01)}));
}

}  // namespace
}  // namespace vyre
