#include "primitives/reduce.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "primitives/suite.h"
#include "support/device.h"

namespace vyre::primitives {

std::vector<Case> reduce_cases() {
  std::vector<Case> cases;
  const std::vector<float> x = random_floats(1003, 1);
  for (const ReduceOp op : {ReduceOp::sum, ReduceOp::min, ReduceOp::max}) {
    for (const bool strided : {false, true}) {
      const ReduceOptions options{.n = 1003, .op = op, .items = 7, .strided = strided};
      cases.push_back(operation_case(
          fmt::format("reduce_{}_{}", name_of(op), strided ? "strided" : "contiguous"),
          good(reduce_programs(options)),
          [=](device::Device& device) { return reduce(device, options); }, {x},
          {reduce_reference(doubles(x), op)}, 5e-6));
    }
  }
  return cases;
}

namespace {

template <class T>
T reduced(const std::vector<T>& x, ReduceOptions options) {
  const auto device = testing::opened("opencl");
  options.n = static_cast<std::uint32_t>(x.size());
  options.element = scalar_of<T>;
  auto operation = good(reduce(*device, options));
  T result = 0;
  good(operation.template run<T>({std::span(x)}, std::span(&result, 1)));
  return result;
}

TEST(Reduce, OfIntegersIsExactAndWraps) {
  std::vector<std::int32_t> x(1000);
  std::iota(x.begin(), x.end(), -300);
  EXPECT_EQ(reduced(x, {}), std::accumulate(x.begin(), x.end(), 0));
  EXPECT_EQ(reduced(x, {.op = ReduceOp::min}), -300);
  EXPECT_EQ(reduced(x, {.op = ReduceOp::max}), 699);
  EXPECT_EQ(reduced(std::vector<std::uint32_t>{0xffffffffU, 2}, {}), 1U);
}

TEST(Reduce, TakesFewerElementsThanThereAreShares) {
  EXPECT_EQ(reduced(std::vector<float>{5}, {.items = 64}), 5);
  EXPECT_EQ(reduced(std::vector<float>{5, -7, 6}, {.op = ReduceOp::min, .items = 64}), -7);
}

TEST(Reduce, RefusesBadOptionsByNameAndNumber) {
  EXPECT_EQ(message_of(reduce_programs({.n = 0, .items = 1})),
            "reduce: n is 0; it must be at least 1");
  EXPECT_EQ(message_of(reduce_programs({.n = 5})), "reduce: items is 0; it must be at least 1");
  EXPECT_EQ(message_of(reduce_programs({.n = 3000000000, .items = 1})),
            "reduce: n is 3000000000 and items 1; they go up to 2147483648 and 1048576");
  EXPECT_EQ(message_of(reduce_programs({.n = 5, .element = Scalar::f64, .items = 1})),
            "reduce: works on f32, i32 and u32, not f64");
  const auto device = testing::opened("reference");
  auto operation = good(reduce(*device, {.n = 4}));
  const std::vector<std::int32_t> wrong(4);
  std::int32_t result = 0;
  EXPECT_EQ(message_of(operation.run<std::int32_t>({wrong}, std::span(&result, 1))),
            "reduce: result holds f32, not i32");
}

}  // namespace
}  // namespace vyre::primitives
