#include "schedule/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/programs.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

constexpr std::string_view product = R"(program product {
  uniform n: u32 = 64
  buffer a: f32[n * n] read
  buffer b: f32[n * n] read
  buffer c: f32[n * n] write
  grid n, n
  var sum = 0.0
  for i in 0 .. n {
    sum = fma(a[invocation.y * n + i], b[i * n + invocation.x], sum)
  }
  c[invocation.y * n + invocation.x] = sum
})";

constexpr std::string_view copy = R"(program copy {
  uniform n: u32 = 4096
  buffer a: f32[n] read
  buffer b: f32[n] write
  grid n
  b[invocation.x] = a[invocation.x]
})";

constexpr std::string_view sum = R"(program sum {
  buffer a: u32[4096] read
  buffer total: u32[1] read_write
  grid 4096
  atomic total[0] += a[invocation.x]
})";

double feature(const Features& features, std::string_view name) {
  const auto* at = std::ranges::find(feature_table, name, &Feature::name);
  return features.values.at(static_cast<std::size_t>(at - feature_table.begin()));
}

double feature(std::string_view program, std::string_view name, const ir::Uniforms& uniforms = {}) {
  return feature(features(parsed(program), uniforms).value(), name);
}

TEST(Features, TellHowMuchIsComputedAndHowOftenItIsUsed) {
  EXPECT_EQ(feature(product, "invocations"), 12);
  EXPECT_EQ(feature(product, "width"), 6);
  EXPECT_EQ(feature(product, "height"), 6);
  EXPECT_EQ(feature(product, "loops"), 1);
  EXPECT_NEAR(feature(product, "loads"), std::log2(1 + 128), 1e-3);
  EXPECT_GT(feature(product, "reuse"), 5);
  EXPECT_EQ(feature(copy, "reuse"), 0);
  EXPECT_EQ(feature(copy, "arithmetic"), 0);
  const double arithmetic = feature(product, "arithmetic");
  EXPECT_GT(arithmetic, 1);
  EXPECT_LT(arithmetic, 3) << "a few operations for each load, however many loads there are";
}

TEST(Features, TellTheGridInEachDimension) {
  constexpr std::string_view box = R"(program box {
  buffer y: u32[4096] write
  grid 32, 16, 8
  y[(invocation.z * 16 + invocation.y) * 32 + invocation.x] = 1
})";
  EXPECT_EQ(feature(box, "width"), 5);
  EXPECT_EQ(feature(box, "height"), 4);
  EXPECT_EQ(feature(box, "depth"), 3);
}

TEST(Features, TellHowNeighboursAccessMemory) {
  EXPECT_EQ(feature(product, "loads_contiguous"), 0.5);
  EXPECT_EQ(feature(product, "loads_uniform"), 0.5);
  EXPECT_EQ(feature(product, "loads_shared"), 0.5);
  EXPECT_EQ(feature(product, "stores_contiguous"), 1);
  EXPECT_EQ(feature(sum, "atomics"), 1);
  EXPECT_EQ(feature(sum, "atomic_to_one"), 1);
  EXPECT_EQ(feature("program p { buffer y: u32[128] write grid 64 y[invocation.x * 2] = 1 }",
                    "stores_contiguous"),
            0);
}

// Of the product's loads, one is a row that its loop goes along.
TEST(Features, TellHowLoopsAccessMemoryAndWhichIndicesAreClamped) {
  EXPECT_EQ(feature(product, "loads_along"), 0.5);
  EXPECT_EQ(feature(copy, "loads_along"), 0);
  EXPECT_EQ(feature(product, "loads_clamped"), 0);
  EXPECT_EQ(feature("program p { buffer x: u32[9] read buffer y: u32[9] write grid 8 "
                    "let at = max(invocation.x, 1) - 1 y[invocation.x] = x[at] + x[invocation.x] }",
                    "loads_clamped"),
            0.5);
}

TEST(Features, TellWhetherOrderMatters) {
  EXPECT_EQ(feature(product, "reassociate"), 0);
  EXPECT_EQ(feature("program p { reassociate grid 8 }", "reassociate"), 1);
}

TEST(Features, AreThoseOfTheSizesAtHand) {
  EXPECT_EQ(feature(copy, "invocations", {{"n", Literal{Scalar::u32, 1024}}}), 10);
}

TEST(Features, OfAProgramThatCannotBeLaunchedAreAnError) {
  EXPECT_FALSE(features(parsed("program p { uniform n: u32 = 0 grid n }")));
}

TEST(Features, AreNearerForProgramsThatAreAlike) {
  const auto of = [](std::string_view text) { return features(parsed(text)).value(); };
  std::string larger(product);
  larger.replace(larger.find("64"), 2, "96");
  EXPECT_EQ(distance(of(product), of(product)), 0);
  EXPECT_LT(distance(of(product), of(larger)), distance(of(product), of(copy)));
  EXPECT_LT(distance(of(product), of(larger)), distance(of(product), of(sum)));
  EXPECT_EQ(distance(of(copy), of(sum)), distance(of(sum), of(copy)));
}

TEST(Features, AsTextReadBackAsThemselves) {
  for (const std::string_view text : {product, copy, sum}) {
    const Features made = features(parsed(text)).value();
    EXPECT_EQ(parse_features(to_string(made)).value(), made) << to_string(made);
  }
}

TEST(Features, OfAnotherVersionAreRefused) {
  const std::string text = to_string(features(parsed(copy)).value());
  EXPECT_FALSE(parse_features(text + " colour=1"));
  EXPECT_FALSE(parse_features(text + " width=1"));
  EXPECT_FALSE(parse_features(text.substr(0, text.rfind(' '))));
  EXPECT_FALSE(parse_features("width"));
  EXPECT_FALSE(parse_features("width=wide"));
  EXPECT_FALSE(parse_features("width=nan"));
}

}  // namespace
}  // namespace vyre::schedule
