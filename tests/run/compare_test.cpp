#include "run/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace vyre::run {
namespace {

template <class T>
Comparison compared(Scalar element, std::vector<T> a, std::vector<T> b, std::uint64_t bound) {
  return compare(element, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)), bound);
}

TEST(Compare, FloatsAreComparedInUnitsOfTheLastPlace) {
  const float next = std::nextafter(1.0F, 2.0F);
  EXPECT_EQ(compared<float>(Scalar::f32, {1.0F}, {next}, 1).worst_ulp, 1U);
  EXPECT_FALSE(compared<float>(Scalar::f32, {1.0F}, {next}, 1).first);
  EXPECT_TRUE(compared<float>(Scalar::f32, {1.0F}, {next}, 0).first);
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(compared<float>(Scalar::f32, {-tiny}, {tiny}, 9).worst_ulp, 2U);
  EXPECT_EQ(compared<double>(Scalar::f64, {1.0}, {std::nextafter(1.0, 0.0)}, 9).worst_ulp, 1U);
}

TEST(Compare, NansAreEqualAndSoAreTheZeros) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(compared<float>(Scalar::f32, {nan, 0.0F}, {-nan, -0.0F}, 0).worst_ulp, 0U);
  EXPECT_TRUE(compared<float>(Scalar::f32, {nan}, {1.0F}, 1000).first);
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(compared<float>(Scalar::f32, {inf}, {-inf}, 1000).first);
}

TEST(Compare, NarrowIntegersAreComparedToTheBitAndHalvesToTheirNeighbours) {
  EXPECT_FALSE(compared<std::uint8_t>(Scalar::u8, {1, 255}, {1, 255}, 9).first);
  EXPECT_EQ(compared<std::int8_t>(Scalar::i8, {1, -1, 3}, {1, -2, 3}, 9).first->got, "-2");
  EXPECT_EQ(compared<std::uint16_t>(Scalar::u16, {1, 2}, {1, 3}, 9).first->index, 1U);
  const Half one = 1.0F;
  const Half next = Half::from_bits(one.bits() + 1);
  const Half after = Half::from_bits(one.bits() + 2);
  EXPECT_FALSE(compared<Half>(Scalar::f16, {one}, {next}, 4).first);
  EXPECT_TRUE(compared<Half>(Scalar::f16, {one}, {next}, 0).first);
  EXPECT_TRUE(compared<Half>(Scalar::f16, {one}, {after}, 4).first);
  EXPECT_EQ(ulps_between(Half(0.0F), Half(-0.0F)), 0U);
  EXPECT_EQ(ulps_between(Half::from_bits(1), Half::from_bits(0x8001)), 2U);
}

TEST(Compare, LongsAreComparedWhole) {
  const std::uint64_t high = 1ULL << 40U;
  EXPECT_EQ(compared<std::uint64_t>(Scalar::u64, {1, high}, {1, 0}, 9).first->index, 1U);
  EXPECT_FALSE(compared<std::int64_t>(Scalar::i64, {-1}, {-1}, 0).first);
}

TEST(Compare, TheFirstDifferenceIsNamed) {
  const auto c = compared<std::int32_t>(Scalar::i32, {1, -2, 3, 4}, {1, -2, -3, 5}, 100);
  ASSERT_TRUE(c.first);
  EXPECT_EQ(c.first->index, 2U);
  EXPECT_EQ(c.first->expected, "3");
  EXPECT_EQ(c.first->got, "-3");
}

}  // namespace
}  // namespace vyre::run
