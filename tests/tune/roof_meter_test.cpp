#include "tune/roof_meter.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/worker.h"

namespace vyre::tune {
namespace {

class RoofOf : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Device, RoofOf, ::testing::Values("reference", "opencl"));

TEST_P(RoofOf, IsPositiveAndFinite) {
  auto evaluator = testing::evaluator(testing::worker_options(GetParam()));
  RoofMeter meter(evaluator);
  const auto roof = meter.at(1U << 18U);
  ASSERT_TRUE(roof) << roof.error().message;
  for (const double rate : {roof->read_bytes, roof->written_bytes, roof->operations}) {
    EXPECT_TRUE(std::isfinite(rate)) << rate;
    EXPECT_GT(rate, 0);
  }
  EXPECT_EQ(evaluator.pending(), 0U);
}

// Microseconds of a launch that reads 64 KB, of one that copies half of that, and of eight chains.
TEST(RoofMeter, IsWhatTheFastestProgramDid) {
  auto evaluator = testing::evaluator(
      testing::scripted_options("roof_reads: 1000; roof_copies: 2000; roof_chains: 500"));
  RoofMeter meter(evaluator);
  const auto roof = meter.at(100);
  ASSERT_TRUE(roof) << roof.error().message;
  EXPECT_DOUBLE_EQ(roof->read_bytes, 65536 / 1e6);
  EXPECT_DOUBLE_EQ(roof->written_bytes, 1 / (2e6 / 32768 - 1e6 / 65536));
  EXPECT_DOUBLE_EQ(roof->operations, 2 * 16 * 8 * 16 * 4 / 5e5);
}

TEST(RoofMeter, MeasuresASizeOnce) {
  auto evaluator = testing::evaluator(testing::worker_options("reference"));
  RoofMeter meter(evaluator);
  const auto first = meter.at(1000);
  const auto again = meter.at(2000);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->read_bytes, again->read_bytes);
  EXPECT_EQ(first->operations, again->operations);
}

TEST(RoofMeter, IsAnErrorWhereNothingRuns) {
  auto evaluator = testing::evaluator(testing::scripted_options("roof_reads: fail"));
  RoofMeter meter(evaluator);
  const auto roof = meter.at(1000);
  ASSERT_FALSE(roof);
  EXPECT_TRUE(roof.error().message.starts_with("what the device can do cannot be measured: "))
      << roof.error().message;
}

TEST(WritingRate, IsWhatACopyTakesLongerThanReading) {
  EXPECT_DOUBLE_EQ(writing_rate(4, 2), 4);
  EXPECT_DOUBLE_EQ(writing_rate(4, 1), 4.0 / 3);
  EXPECT_DOUBLE_EQ(writing_rate(2, 2), 20) << "a copy that is as fast as reading";
  EXPECT_DOUBLE_EQ(writing_rate(1, 2), 20) << "or faster";
}

}  // namespace
}  // namespace vyre::tune
