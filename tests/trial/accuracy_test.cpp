#include "trial/accuracy.h"

#include <gtest/gtest.h>

#include <limits>

namespace vyre::trial {
namespace {

TEST(Accuracy, AllowsSomeTimesTheErrorThatWasSeenOnSuchValues) {
  Accuracy accuracy;
  accuracy.see(100.0, 100.5);
  accuracy.see(120.0, 120.25);
  accuracy.settle();
  EXPECT_DOUBLE_EQ(accuracy.allowed(100.0), Accuracy::factor * 0.5 * Accuracy::medians);
  EXPECT_DOUBLE_EQ(accuracy.allowed(-1e6), accuracy.allowed(100.0)) << "larger values too";
  EXPECT_DOUBLE_EQ(accuracy.worst(), 0.005);
}

// Most values are small and exact to 1e-9; the error of the large ones says nothing of them.
TEST(Accuracy, DoesNotExcuseSmallValuesByTheErrorsOfLargeOnes) {
  Accuracy accuracy;
  for (int i = 0; i < 100; ++i) accuracy.see(1.0, 1.0 + 1e-9);
  accuracy.see(1e6, 1e6 + 1.0);
  accuracy.settle();
  EXPECT_LT(accuracy.allowed(1.0), 1e-7);
  EXPECT_GE(accuracy.allowed(1e6), 4.0);
}

// A sum that nearly cancels is as wrong as its neighbours, though no such sum was seen.
TEST(Accuracy, AllowsTheMedianErrorForEveryValue) {
  Accuracy accuracy;
  for (int i = 1; i < 100; ++i) accuracy.see(i, i + 1e-6);
  accuracy.settle();
  EXPECT_GE(accuracy.allowed(1e-9), 1e-6);
  EXPECT_LE(accuracy.allowed(1e-9), 1e-4);
}

TEST(Accuracy, WhereNothingWasWrongNothingIsAllowed) {
  Accuracy accuracy;
  accuracy.see(1.0, 1.0);
  accuracy.see(std::numeric_limits<double>::infinity(), 3.0);
  accuracy.see(2.0, std::numeric_limits<double>::quiet_NaN());
  accuracy.settle();
  EXPECT_EQ(accuracy.allowed(1.0), 0);
  EXPECT_EQ(accuracy.allowed(std::numeric_limits<double>::infinity()), 0);
}

TEST(Accuracy, CountsErrorsOfAnotherPrecisionAsAsMuchSmaller) {
  Accuracy accuracy;
  accuracy.see(1.0, 1.5);
  accuracy.settle(0.25);
  EXPECT_DOUBLE_EQ(accuracy.allowed(1.0), Accuracy::factor * 0.25 * Accuracy::medians);
}

}  // namespace
}  // namespace vyre::trial
