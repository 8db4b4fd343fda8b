#include "trial/verify.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/worker.h"

namespace vyre::trial {
namespace {

template <class T>
std::string wrong(Scalar element, const std::vector<T>& expected, const std::vector<T>& got,
                  const Tolerance& tolerance = {}) {
  return wrong_elements(
      {.element = element, .content = testing::data_of(expected), .tolerance = tolerance},
      *testing::data_of(got));
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

TEST(Verify, NarrowElementsAreHeldToWhatTheyHold) {
  EXPECT_EQ(wrong<std::uint8_t>(Scalar::u8, {1, 2, 3}, {1, 2, 3}), "");
  EXPECT_EQ(wrong<std::int16_t>(Scalar::i16, {1, -2, 3}, {1, -3, 3}),
            "element 1 is -3, expected -2; 1 of 3 elements differ");
  const Half next = Half::from_bits(Half(1.0F).bits() + 1);
  const Half after = Half::from_bits(Half(1.0F).bits() + 2);
  EXPECT_EQ(wrong<Half>(Scalar::f16, {1.0F}, {next}), "");
  EXPECT_NE(wrong<Half>(Scalar::f16, {1.0F}, {after}), "");
  EXPECT_NE(wrong<Half>(Scalar::f16, {1.0F}, {next}, {.ulps = 0}), "");
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

// A kernel with a buffer that it reads, a number, and a buffer that it writes.
class FindFault : public ::testing::Test {
 protected:
  const std::vector<std::uint32_t> before = {1, 2};
  const std::vector<std::uint32_t> after = {3, 4};
  const Candidate candidate{
      .name = "k",
      .kernel = {.arguments = {worker::BufferArgument{testing::data_of(before), Access::read},
                               Literal{Scalar::u32, 7},
                               worker::BufferArgument{testing::data_of(before), Access::write}}},
      .expected = {{.argument = 2, .element = Scalar::u32, .content = testing::data_of(after)}}};
  worker::Output output{
      .buffers = {{.bytes = *testing::data_of(before)}, {.bytes = *testing::data_of(after)}}};
};

TEST_F(FindFault, FindsNoneWhereThereIsNone) { EXPECT_FALSE(find_fault(candidate, output)); }

TEST_F(FindFault, BelievesWhatTheWorkerHasCompared) {
  const auto likely = likely_contents(candidate);
  ASSERT_EQ(likely.size(), 3U);
  EXPECT_EQ(*likely[0], *testing::data_of(before));
  EXPECT_EQ(likely[1], nullptr);
  EXPECT_EQ(*likely[2], *testing::data_of(after));
  output.buffers = {{.is_likely = true}, {.is_likely = true}};
  EXPECT_FALSE(find_fault(candidate, output));
  output.buffers[1].touched = device::Touched{8};
  ASSERT_TRUE(find_fault(candidate, output));
  EXPECT_NE(find_fault(candidate, output)->reason.find("1 bytes past its end"), std::string::npos);
}

// Unchanged and as expected are two things: the worker compares with one.
TEST_F(FindFault, KnowsNothingLikelyOfAnInputThatIsAlsoExpected) {
  Candidate both = candidate;
  both.expected[0].argument = 0;
  EXPECT_EQ(likely_contents(both)[0], nullptr);
}

TEST_F(FindFault, LooksForWritesBesideEveryBuffer) {
  for (worker::Content& content : output.buffers) {
    content.touched = device::Touched{8};
    const auto fault = find_fault(candidate, output);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->verdict, Verdict::runtime);
    EXPECT_NE(fault->reason.find("out of bounds"), std::string::npos) << fault->reason;
    content.touched.reset();
  }
}

TEST_F(FindFault, LooksAtWhatIsOnlyReadAndAtWhatIsExpected) {
  for (const char* reason : {"must only read", "elements differ"}) {
    worker::Content& content = output.buffers[reason[0] == 'm' ? 0 : 1];
    content.bytes[0] ^= std::byte{8};
    const auto fault = find_fault(candidate, output);
    ASSERT_TRUE(fault) << reason;
    EXPECT_EQ(fault->verdict, Verdict::correctness);
    EXPECT_NE(fault->reason.find(reason), std::string::npos) << fault->reason;
    content.bytes[0] ^= std::byte{8};
  }
}

TEST(Verify, TheCanaryIsNoResultOfAnyType) {
  const auto bytes = *canary(16);
  const auto differs_from = [&](Scalar element, std::byte value) {
    const auto content = worker::data(std::vector<std::byte>(16, value));
    return !wrong_elements({.element = element, .content = content}, bytes).empty();
  };
  EXPECT_TRUE(differs_from(Scalar::f32, std::byte{0}));
  EXPECT_TRUE(differs_from(Scalar::boolean, std::byte{1}));
}

}  // namespace
}  // namespace vyre::trial
