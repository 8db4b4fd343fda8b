#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "front/opened.h"

namespace vyre {
namespace {

using testing::must;
using testing::opened;
using testing::quiet;

class Arrays : public ::testing::TestWithParam<const char*> {
 protected:
  static ContextOptions options() {
    auto made = quiet();
    made.device = GetParam();
    return made;
  }
  const Context gpu = opened(options());
};
INSTANTIATE_TEST_SUITE_P(On, Arrays, ::testing::Values("reference", "opencl"),
                         [](const auto& device) { return std::string(device.param); });

TEST_P(Arrays, AreMadeOfWhatTheHostHas) {
  const std::vector<std::int32_t> vector = {1, -2, 3};
  const std::array<double, 2> two = {0.5, 1.5};
  const float row[] = {1, 2, 3, 4};
  EXPECT_EQ(must(gpu.array(vector).to_host()), vector);
  EXPECT_EQ(must(gpu.array(two).to_host()), (std::vector<double>{0.5, 1.5}));
  EXPECT_EQ(must(gpu.array(std::span(row)).to_host()), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(must(gpu.array(std::span(row), {2, 2}).to_host()).size(), 4U);
  EXPECT_EQ(must(gpu.array<bool>(3).to_host()), (std::vector<std::uint8_t>{0, 0, 0}));
  EXPECT_EQ(must(gpu.array<float>({2, 3, 4}).to_host()), std::vector<float>(24, 0));
  EXPECT_EQ(must(gpu.array<float>(0).to_host()).size(), 0U);
  const int rows = 3;
  const unsigned columns = 2;
  EXPECT_EQ(gpu.array<float>({rows, columns}).extents(), Extents(3, 2));
  EXPECT_FALSE(gpu.array<float>({rows, -1}).to_host());
  EXPECT_FALSE(gpu.finish());
}

TEST_P(Arrays, AreFilledAssignedAndCopied) {
  const auto x = gpu.array<std::uint32_t>(8);
  const auto y = gpu.array<std::uint32_t>(8);
  x.fill(7);
  x.slice(2, 3).assign(std::vector<std::uint32_t>{1, 2, 3});
  gpu.copy(x, y);
  x.slice(7, 1).fill(9);
  gpu.copy(x.slice(2, 2), y.slice(6, 2));
  EXPECT_EQ(must(y.to_host()), (std::vector<std::uint32_t>{7, 7, 1, 2, 3, 7, 1, 2}));
  EXPECT_EQ(must(x.slice(6, 2).to_host()), (std::vector<std::uint32_t>{7, 9}));
  std::vector<std::uint32_t> into(8);
  EXPECT_TRUE(y.to_host(into));
  EXPECT_EQ(into[4], 3U);
  EXPECT_TRUE(gpu.finish());
}

TEST_P(Arrays, OfDoublesAndBoolsAreFilled) {
  const auto d = gpu.array<double>(3);
  d.fill(0.25);
  EXPECT_EQ(must(d.to_host()), std::vector<double>(3, 0.25));
  const auto b = gpu.array<bool>(3);
  b.slice(1, 2).fill(true);
  EXPECT_EQ(must(b.to_host()), (std::vector<std::uint8_t>{0, 1, 1}));
}

TEST_P(Arrays, HandOverTheirMemoryAndRefuseCallsMeanwhile) {
  const auto x = gpu.array<float>(100);
  {
    auto mapped = must(x.map());
    std::iota(mapped.begin(), mapped.end(), 0.0F);
    EXPECT_EQ(mapped.size(), 100U);
    const auto refused = x.fill(1).wait();
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("unmap"), std::string::npos);
    EXPECT_FALSE(gpu.finish());
  }
  EXPECT_FALSE(x.to_host());  // the refused call was to write it
  x.fill(2);
  auto mapped = must(x.slice(10, 5).map());
  mapped[0] = 5;
  EXPECT_TRUE(mapped.unmap());
  EXPECT_TRUE(mapped.unmap());
  EXPECT_EQ(must(x.to_host())[10], 5.0F);
  EXPECT_EQ(must(x.to_host())[11], 2.0F);
}

TEST_P(Arrays, RefuseWhatDoesNotFitAndSayTheNumbers) {
  const auto x = gpu.array<float>(4);
  EXPECT_EQ(x.assign(std::vector<float>(5)).wait().error().message,
            "an array of 4 elements was assigned 5 numbers");
  EXPECT_FALSE(x.to_host());
  x.fill(0);
  EXPECT_EQ(x.slice(2, 3).to_host().error().message,
            "a slice of 3 elements from 2 on leaves an array of 4");
  EXPECT_FALSE(x.slice(5, 0).to_host());
  EXPECT_EQ(must(x.slice(4, 0).to_host()).size(), 0U);
  std::vector<float> five(5);
  EXPECT_FALSE(x.to_host(five));
  EXPECT_FALSE(gpu.copy(x, gpu.array<float>(3)).wait());
  EXPECT_FALSE(gpu.copy(x.slice(0, 3), x.slice(1, 3)).wait());
  EXPECT_FALSE(gpu.copy(opened(options()).array<float>(4), x).wait());
  EXPECT_FALSE(gpu.copy(Array<float>(), x).wait());
  EXPECT_FALSE(gpu.array(five, {2, 2}).to_host());
  EXPECT_FALSE(gpu.array<float>({1, 2, 3, 4}).to_host());
  EXPECT_FALSE(gpu.array<double>({65536, 65536, 65536}).to_host());
  EXPECT_EQ(gpu.finish().error().message, "an array of 4 elements was assigned 5 numbers");
}

TEST_P(Arrays, WithoutMemoryHoldThatError) {
  const auto huge = gpu.array<double>(std::size_t{1} << 32U);
  EXPECT_EQ(huge.to_host().error().kind, ErrorKind::limit);
  EXPECT_FALSE(huge.check());
  EXPECT_FALSE(huge.fill(1).wait());
  EXPECT_FALSE(huge.slice(0, 1).to_host());
  EXPECT_FALSE(gpu.finish());
}

TEST(Events, KnowHowLongTheirCallTookIfTheyAreAsked) {
  auto options = quiet();
  options.timed = true;
  const Context timed = opened(options);
  const auto x = timed.array<float>(1 << 16);
  const auto elapsed = x.fill(1).elapsed();
  if (elapsed) {
    EXPECT_GT(elapsed->count(), 0);
  } else {
    EXPECT_NE(elapsed.error().message.find("no clock"), std::string::npos);  // the worst driver
  }
  const auto untimed = opened().array<float>(4).fill(1).elapsed();
  ASSERT_FALSE(untimed);
  EXPECT_NE(untimed.error().message.find(".timed = true"), std::string::npos);
  EXPECT_TRUE(Event().ended());
  EXPECT_TRUE(Event().wait());
}

}  // namespace
}  // namespace vyre
