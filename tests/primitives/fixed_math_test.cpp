#include "primitives/fixed_math.h"

#include <gtest/gtest.h>

#include <random>

#include "base/fixed.h"
#include "primitives/programs.h"
#include "primitives/suite.h"
#include "support/device.h"
#include "vyre/primitives/pipeline.h"

namespace vyre::primitives {
namespace {

using ir::Value;

// out[4 i ...] = a * b, a - b, |a - b|, and the saturated sum of 5 * (a * b).
ir::Program arithmetic(std::uint32_t count) {
  ir::Builder k("fixed_arithmetic");
  const Value n = k.uniform("n", count);
  const auto a = k.read("a", Scalar::i32, n);
  const auto b = k.read("b", Scalar::i32, n);
  const auto out = k.write("out", Scalar::i32, n * 4);
  k.grid(n);
  const Value i = k.let("i", ir::invocation(0));
  const Value x = k.let("x", a[i]);
  const Value y = k.let("y", b[i]);
  out[i * 4] = fixed_multiply(k, "product", x, y);
  out[i * 4 + 1] = fixed_subtract(k, "less", x, y);
  out[i * 4 + 2] = ir::convert(Scalar::i32, distance(x, y));
  const WideSum sum(k, "sum");
  k.loop("j", ir::constant(0U), ir::constant(5U),
         [&](const Value&) { sum.add(fixed_product(k, "term", x, y)); });
  out[i * 4 + 3] = saturated(sum.value());
  return finished(k);
}

// All pairs of numbers around the places where something changes, and random ones of all sizes.
std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> edge_pairs() {
  std::vector<std::int32_t> edges;
  for (const std::int64_t at : {0LL, 1LL << 15, 1LL << 16, 46341LL << 8, 1LL << 30, 1LL << 31}) {
    for (const std::int64_t sign : {-1, 1}) {
      for (const std::int64_t by : {-2, -1, 0, 1, 2}) edges.push_back(saturate(sign * at + by));
    }
  }
  std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> pairs;
  for (const std::int32_t a : edges) {
    for (const std::int32_t b : edges) {
      pairs.first.push_back(a);
      pairs.second.push_back(b);
    }
  }
  std::mt19937 random(3);
  while (pairs.first.size() < 10000) {
    pairs.first.push_back(static_cast<std::int32_t>(random()) >> random() % 31);
    pairs.second.push_back(static_cast<std::int32_t>(random()) >> random() % 31);
  }
  return pairs;
}

TEST(FixedMath, IsTheHostsToTheBitOnEveryDevice) {
  const auto [a, b] = edge_pairs();
  const std::vector<ir::Program> programs = {arithmetic(static_cast<std::uint32_t>(a.size()))};
  for (const std::string_view which : {"reference", "opencl"}) {
    SCOPED_TRACE(which);
    const auto device = testing::opened(which);
    auto pipeline = good(Pipeline::make(*device, programs));
    good(pipeline.array("a").write<std::int32_t>(a));
    good(pipeline.array("b").write<std::int32_t>(b));
    good(pipeline.launch());
    std::vector<std::int32_t> out(a.size() * 4);
    good(pipeline.array("out").read<std::int32_t>(out));
    for (std::size_t i = 0; i < a.size(); ++i) {
      SCOPED_TRACE(::testing::Message() << a[i] << " and " << b[i]);
      const std::int64_t gap = std::abs(static_cast<std::int64_t>(a[i]) - b[i]);
      ASSERT_EQ(out[i * 4], vyre::fixed_multiply(a[i], b[i]));
      ASSERT_EQ(out[i * 4 + 1], vyre::fixed_subtract(a[i], b[i]));
      ASSERT_EQ(static_cast<std::uint32_t>(out[i * 4 + 2]), gap);
      ASSERT_EQ(out[i * 4 + 3], saturate(5 * vyre::fixed_product(a[i], b[i])));
    }
  }
}

}  // namespace
}  // namespace vyre::primitives
