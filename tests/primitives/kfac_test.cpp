#include "vyre/primitives/kfac.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "primitives/kfac_program.h"
#include "primitives/suite.h"
#include "support/device.h"

namespace vyre::primitives {
namespace {

constexpr KfacLayout layouts[] = {KfacLayout::item, KfacLayout::group, KfacLayout::interleaved,
                                  KfacLayout::registers, KfacLayout::panels};

// Symmetric positive definite: G G^T / n + I / 10.
std::vector<float> random_blocks(std::uint32_t blocks, std::uint32_t n, std::uint32_t seed) {
  const std::vector<float> g = random_floats(std::size_t{blocks} * n * n, seed);
  std::vector<float> made(g.size());
  for (std::size_t b = 0; b < blocks; ++b) {
    const float* block = &g[b * n * n];
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < n; ++c) {
        double sum = r == c ? 0.1 : 0;
        for (std::size_t i = 0; i < n; ++i) sum += double{block[r * n + i]} * block[c * n + i] / n;
        made[b * n * n + r * n + c] = static_cast<float>(sum);
      }
    }
  }
  return made;
}

std::vector<double> reference(const std::vector<float>& blocks, std::uint32_t n) {
  const std::vector<double> in = doubles(blocks);
  std::vector<double> out(in.size());
  const std::size_t size = std::size_t{n} * n;
  for (std::size_t b = 0; b < in.size() / size; ++b) {
    const bool regular = kfac_block_inverse_reference(std::span(in).subspan(b * size, size), n,
                                                      std::span(out).subspan(b * size, size));
    if (!regular) throw std::runtime_error("a random block is singular");
  }
  return out;
}

Case layout_case(KfacLayout layout, std::uint32_t n, std::uint32_t blocks) {
  const KfacOptions options{.num_blocks = blocks, .n = n, .schedule = {.layout = layout}};
  const std::vector<float> in = random_blocks(blocks, n, n);
  return {.name = fmt::format("kfac_{}_{}", name_of(layout), n),
          .programs = n == 5 ? std::vector{good(kfac_block_inverse_program(options))}
                             : std::vector<ir::Program>(),
          .run = [=](device::Device& device) -> Result<std::vector<double>> {
            auto inverse = KfacBlockInverse::make(device, options);
            if (!inverse) return Unexpected(inverse.error());
            std::vector<float> out(in.size());
            if (auto done = (*inverse)(in, out); !done) return Unexpected(done.error());
            EXPECT_TRUE(inverse->reports().empty());
            return doubles(out);
          },
          .expected = reference(in, n),
          .tolerance = 2e-5};
}

// Inverts on the default device.
struct Inverted {
  std::vector<float> out;
  std::vector<BlockReport> reports;
};
Inverted invert(const std::vector<float>& in, KfacOptions options) {
  const auto device = testing::opened("opencl");
  auto inverse = good(KfacBlockInverse::make(*device, options));
  Inverted result{.out = std::vector<float>(in.size())};
  good(inverse(in, result.out));
  result.reports.assign(inverse.reports().begin(), inverse.reports().end());
  return result;
}

}  // namespace

// Sizes that fill tiles and vectors and that do not, with blocks left over after whole vectors.
std::vector<Case> kfac_cases() {
  std::vector<Case> cases;
  for (const KfacLayout layout : layouts) {
    cases.push_back(layout_case(layout, 5, 11));
    cases.push_back(layout_case(layout, layout == KfacLayout::registers ? 8 : 16, 9));
  }
  cases.push_back(layout_case(KfacLayout::panels, 35, 2));
  return cases;
}

namespace {

TEST(KfacBlockInverse, GivesTheExamplesOfTheSpecificationInEveryLayout) {
  const std::vector<float> in = {1, 0, 0, 1, 2, 0, 0, 4, 4, 3, 3, 2};
  for (const KfacLayout layout : layouts) {
    SCOPED_TRACE(name_of(layout));
    const Inverted result = invert(in, {.num_blocks = 3, .n = 2, .schedule = {.layout = layout}});
    const std::vector<float> expected = {1, 0, 0, 1, 0.5, 0, 0, 0.25, -2, 3, 3, -4};
    for (std::size_t i = 0; i < in.size(); ++i) EXPECT_NEAR(result.out[i], expected[i], 1e-5);
    ASSERT_EQ(result.reports.size(), 1U);
    EXPECT_EQ(result.reports[0].index, 2U);
    EXPECT_EQ(result.reports[0].state, BlockState::indefinite);
    EXPECT_NEAR(result.reports[0].condition, 49, 0.01);
  }
}

TEST(KfacBlockInverse, NamesEachBadBlockAndInvertsTheGoodOnesBesideIt) {
  constexpr std::uint32_t n = 4;
  std::vector<float> in = random_blocks(9, n, 3);
  const std::vector<double> expected = reference(in, n);
  const auto block = [&](std::size_t b) { return std::span(in).subspan(b * n * n, n * n); };
  for (std::size_t c = 0; c < n; ++c) block(2)[c] = block(2)[n + c];  // two equal rows
  block(4)[5] = std::numeric_limits<float>::quiet_NaN();
  block(5)[0] = std::numeric_limits<float>::infinity();
  block(7)[1] += 1;
  for (const KfacLayout layout : layouts) {
    SCOPED_TRACE(name_of(layout));
    const Inverted result = invert(in, {.num_blocks = 9, .n = n, .schedule = {.layout = layout}});
    ASSERT_EQ(result.reports.size(), 4U);
    EXPECT_EQ(result.reports[0],
              (BlockReport{2, BlockState::singular, std::numeric_limits<float>::infinity()}));
    EXPECT_EQ(result.reports[1].index, 4U);
    EXPECT_EQ(result.reports[1].state, BlockState::not_finite);
    EXPECT_EQ(result.reports[2].index, 5U);
    EXPECT_EQ(result.reports[2].state, BlockState::not_finite);
    EXPECT_EQ(result.reports[3].index, 7U);
    EXPECT_EQ(result.reports[3].state, BlockState::asymmetric);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const std::size_t b = i / (n * n);
      if (b == 7) continue;
      const double right = b == 2 || b == 4 || b == 5 ? 0 : expected[i];
      ASSERT_NEAR(result.out[i], right, 1e-3) << "block " << b;
    }
  }
}

TEST(KfacBlockInverse, SaysHowIllConditionedABlockIs) {
  const std::vector<float> in = {1, 0, 0, 2e-6F};
  const Inverted result = invert(in, {.num_blocks = 1, .n = 2});
  ASSERT_EQ(result.reports.size(), 1U);
  EXPECT_EQ(result.reports[0].state, BlockState::ill_conditioned);
  EXPECT_NEAR(result.reports[0].condition, 5e5, 1);
  EXPECT_NEAR(result.out[3], 5e5, 1);
}

TEST(KfacBlockInverse, DampingMakesASingularBlockRegular) {
  const Inverted result = invert({1, 1, 1, 1}, {.num_blocks = 1, .n = 2, .damping = 1});
  EXPECT_TRUE(result.reports.empty());
  EXPECT_NEAR(result.out[0], 2.0 / 3, 1e-6);
  EXPECT_NEAR(result.out[1], -1.0 / 3, 1e-6);
}

TEST(KfacBlockInverse, PivotsWhereTheDiagonalIsZero) {
  const std::vector<float> swap = {0, 0, 1, 0, 1, 0, 1, 0, 0};
  for (const KfacLayout layout : layouts) {
    const Inverted result = invert(swap, {.num_blocks = 1, .n = 3, .schedule = {.layout = layout}});
    EXPECT_EQ(result.out, swap) << name_of(layout);
  }
}

TEST(KfacBlockInverse, OfTheInverseIsTheBlock) {
  const std::vector<float> in = random_blocks(20, 8, 5);
  const KfacOptions options{.num_blocks = 20, .n = 8};
  const std::vector<float> again = invert(invert(in, options).out, options).out;
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_NEAR(again[i], in[i], 1e-4);
}

TEST(KfacBlockInverse, RefusesBadShapesByNameAndNumber) {
  EXPECT_EQ(message_of(kfac_block_inverse_program({.num_blocks = 3, .n = 0})),
            "kfac_block_inverse: n is 0; it must be at least 1");
  EXPECT_EQ(message_of(kfac_block_inverse_program({.num_blocks = 1, .n = 70000})),
            "kfac_block_inverse: num_blocks * n * n = 1 * 70000 * 70000 elements is over "
            "4294967295");
  EXPECT_EQ(message_of(kfac_block_inverse_program({.num_blocks = 1, .n = 2, .damping = -1})),
            "kfac_block_inverse: damping is -1; it must be finite and at least 0");
  EXPECT_EQ(message_of(kfac_block_inverse_program(
                {.num_blocks = 1, .n = 9, .schedule = {.layout = KfacLayout::registers}})),
            "kfac_block_inverse: n is 9; the layout `registers` goes up to 8");
  const auto device = testing::opened("opencl");
  auto inverse = good(KfacBlockInverse::make(*device, {.num_blocks = 1, .n = 2}));
  std::vector<float> four(4);
  std::vector<float> three(3);
  EXPECT_EQ(message_of(inverse(three, four)),
            "kfac_block_inverse: blocks_in has 3 elements; it must have 4");
  EXPECT_EQ(message_of(inverse(four, three)),
            "kfac_block_inverse: blocks_out has 3 elements; it must have 4");
}

}  // namespace
}  // namespace vyre::primitives
