#include "trial/verify.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/worker.h"

namespace vyre::trial {
namespace {

template <class T>
std::string wrong(Scalar element, const std::vector<T>& expected, const std::vector<T>& got,
                  const Tolerance& tolerance = {}) {
  return wrong_elements(element, tolerance, *testing::data_of(expected), *testing::data_of(got));
}

TEST(Verify, IntegersMustBeEqual) {
  EXPECT_EQ(wrong<std::int32_t>(Scalar::i32, {1, -2}, {1, -2}), "");
  EXPECT_EQ(wrong<std::int32_t>(Scalar::i32, {1, -2, 3}, {1, -3, 4}, {.absolute = 5}),
            "element 1 is -3, expected -2; 2 of 3 elements differ");
}

TEST(Verify, FloatsAreRightWithinUlps) {
  EXPECT_EQ(wrong<float>(Scalar::f32, {1.0F}, {1.0000004F}), "");
  EXPECT_EQ(wrong<float>(Scalar::f32, {1.0F, 2.0F}, {1.0F, 2.5F}),
            "element 1 is 2.5, expected 2; 1 of 2 elements differ");
}

TEST(Verify, FloatsAreRightWithinARelativeOrAbsoluteTolerance) {
  EXPECT_EQ(wrong<float>(Scalar::f32, {100.0F}, {100.9F}, {.relative = 0.01}), "");
  EXPECT_NE(wrong<float>(Scalar::f32, {100.0F}, {101.1F}, {.relative = 0.01}), "");
  EXPECT_EQ(wrong<double>(Scalar::f64, {0.0}, {1e-9}, {.absolute = 1e-8}), "");
  EXPECT_NE(wrong<double>(Scalar::f64, {0.0}, {1e-7}, {.absolute = 1e-8}), "");
}

TEST(Verify, ANanIsOnlyRightWhereOneIsExpected) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(wrong<float>(Scalar::f32, {nan}, {nan}), "");
  EXPECT_NE(wrong<float>(Scalar::f32, {1.0F}, {nan}, {.absolute = 1e9}), "");
  EXPECT_NE(wrong<float>(Scalar::f32, {nan}, {1.0F}, {.absolute = 1e9}), "");
}

TEST(Verify, TheCanaryIsNoResultOfAnyType) {
  const auto bytes = *canary(16);
  EXPECT_NE(wrong_elements(Scalar::f32, {}, std::vector<std::byte>(16), bytes), "");
  EXPECT_NE(wrong_elements(Scalar::boolean, {}, std::vector<std::byte>(16, std::byte{1}), bytes),
            "");
}

}  // namespace
}  // namespace vyre::trial
