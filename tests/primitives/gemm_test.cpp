#include "vyre/primitives/gemm.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "primitives/gemm_programs.h"
#include "primitives/suite.h"
#include "support/device.h"

namespace vyre::primitives {
namespace {

Case layout_case(GemmLayout layout, GemmOptions options) {
  options.schedule.layout = layout;
  const auto& [m, n, k, alpha, beta, schedule, decisions] = options;
  const std::vector<float> a = random_floats(std::size_t{m} * k, 1);
  const std::vector<float> b = random_floats(std::size_t{k} * n, 2);
  Case one{.name = fmt::format("gemm_{}_{}_{}_{}", name_of(layout), m, n, k),
           .programs = good(gemm_programs(options)),
           .run = [=](device::Device& device) -> Result<std::vector<double>> {
             auto gemm = Gemm::make(device, options);
             if (!gemm) return Unexpected(gemm.error());
             std::vector<float> c(std::size_t{options.m} * options.n);
             if (auto done = (*gemm)(a, b, c); !done) return Unexpected(done.error());
             return doubles(c);
           },
           .expected = std::vector<double>(std::size_t{m} * n),
           .tolerance = 1e-5};
  gemm_reference(doubles(a), doubles(b), m, n, k, one.expected);
  return one;
}

}  // namespace

// Sizes that leave something over in every direction, and a pass along k that does too.
std::vector<Case> gemm_cases() {
  const GemmOptions ragged{
      .m = 19, .n = 37, .k = 21, .schedule = {.depth = 8, .row_panels = 2, .column_panels = 1}};
  return {layout_case(GemmLayout::plain, ragged), layout_case(GemmLayout::tiled, ragged),
          layout_case(GemmLayout::packed, ragged),
          layout_case(GemmLayout::packed, {.m = 1, .n = 1, .k = 1})};
}

namespace {

TEST(Gemm, ScalesTheProductAndAddsToC) {
  const auto device = testing::opened("opencl");
  for (const GemmLayout layout : {GemmLayout::plain, GemmLayout::tiled, GemmLayout::packed}) {
    auto gemm = good(Gemm::make(
        *device,
        {.m = 2, .n = 1, .k = 2, .alpha = 2, .beta = 0.5, .schedule = {.layout = layout}}));
    std::vector<float> c = {100, 200};
    good(gemm(std::vector<float>{1, 2, 3, 4}, std::vector<float>{5, 6}, c));
    EXPECT_EQ(c, (std::vector<float>{2 * 17 + 50, 2 * 39 + 100})) << name_of(layout);
  }
}

TEST(Gemm, TakesNothingFromCWhenBetaIsZero) {
  const auto device = testing::opened("opencl");
  for (const GemmLayout layout : {GemmLayout::plain, GemmLayout::tiled, GemmLayout::packed}) {
    auto gemm = good(Gemm::make(*device, {.m = 1, .n = 1, .k = 1, .schedule = {.layout = layout}}));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    good(gemm.c().write(std::span<const float>(&nan, 1)));
    std::vector<float> c = {0};
    good(gemm(std::vector<float>{2}, std::vector<float>{3}, c));
    EXPECT_EQ(c[0], 6) << name_of(layout);
  }
}

TEST(Gemm, AnOperandThatStaysTheSameIsPackedOnce) {
  const auto device = testing::opened("opencl");
  auto gemm = good(Gemm::make(*device, {.m = 1, .n = 2, .k = 1}));
  const std::vector<float> b = {10, 20};
  good(gemm.b().write(std::span(b)));
  good(gemm.pack_b());
  for (const float value : {1.0F, 2.0F, 3.0F}) {
    good(gemm.a().write(std::span(&value, 1)));
    good(gemm.pack_a());
    good(gemm.multiply());
    std::vector<float> c(2);
    good(gemm.c().read(std::span(c)));
    EXPECT_EQ(c, (std::vector<float>{10 * value, 20 * value}));
  }
}

TEST(Gemm, RefusesBadShapesByNameAndNumber) {
  const GemmSchedule packed{.layout = GemmLayout::packed};
  EXPECT_EQ(message_of(gemm_programs({.m = 4, .n = 0, .k = 4, .schedule = packed})),
            "gemm: n is 0; it must be at least 1");
  EXPECT_EQ(message_of(gemm_programs({.m = 70000, .n = 1, .k = 70000, .schedule = packed})),
            "gemm: m * k = 70000 * 70000 elements is over 4294967295");
  EXPECT_EQ(message_of(gemm_programs({.m = 1, .n = 1, .k = 1000000000, .schedule = packed})),
            "gemm: m, padded to whole panels, times k = 1000000000 is 6000000000 elements, over "
            "4294967295");
  const auto device = testing::opened("opencl");
  auto gemm = good(Gemm::make(*device, {.m = 2, .n = 2, .k = 2}));
  std::vector<float> four(4);
  std::vector<float> three(3);
  EXPECT_EQ(message_of(gemm(three, four, four)), "gemm: a has 3 elements; it must have 4");
  EXPECT_EQ(message_of(gemm(four, three, four)), "gemm: b has 3 elements; it must have 4");
  EXPECT_EQ(message_of(gemm(four, four, three)), "gemm: c has 3 elements; it must have 4");
}

}  // namespace
}  // namespace vyre::primitives
