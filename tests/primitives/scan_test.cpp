#include "primitives/scan.h"

#include <gtest/gtest.h>

#include <numeric>

#include "primitives/suite.h"
#include "support/device.h"

namespace vyre::primitives {

std::vector<Case> scan_cases() {
  std::vector<Case> cases;
  const std::vector<float> x = random_floats(1003, 1);
  for (const bool exclusive : {false, true}) {
    const ScanOptions options{.n = 1003, .exclusive = exclusive, .items = 7};
    std::vector<double> expected(x.size());
    scan_reference(doubles(x), exclusive, expected);
    cases.push_back(operation_case(
        exclusive ? "scan_exclusive" : "scan_inclusive", good(scan_programs(options)),
        [=](device::Device& device) { return scan(device, options); }, {x}, expected, 1e-6));
  }
  return cases;
}

namespace {

TEST(Scan, OfIntegersIsExact) {
  const auto device = testing::opened("opencl");
  std::vector<std::uint32_t> x(777);
  std::iota(x.begin(), x.end(), 5);
  std::vector<std::uint32_t> y(x.size());
  auto operation = good(scan(*device, {.n = 777, .element = Scalar::u32}));
  good(operation.run<std::uint32_t>({x}, y));
  std::vector<std::uint32_t> expected(x.size());
  std::inclusive_scan(x.begin(), x.end(), expected.begin());
  EXPECT_EQ(y, expected);
}

TEST(Scan, ExclusiveStartsWithZeroAndLeavesOutTheLast) {
  const auto device = testing::opened("opencl");
  auto operation = good(scan(*device, {.n = 3, .exclusive = true}));
  std::vector<float> y(3);
  good(operation({std::vector<float>{1, 2, 4}}, y));
  EXPECT_EQ(y, (std::vector<float>{0, 1, 3}));
}

TEST(Scan, RefusesBadOptionsByNameAndNumber) {
  EXPECT_EQ(message_of(scan_programs({.n = 0, .items = 1})), "scan: n is 0; it must be at least 1");
  EXPECT_EQ(message_of(scan_programs({.n = 3000000000, .items = 1})),
            "scan: n is 3000000000 and items 1; they go up to 2147483648 and 1048576");
  const auto device = testing::opened("reference");
  auto operation = good(scan(*device, {.n = 4}));
  std::vector<float> four(4);
  std::vector<float> three(3);
  EXPECT_EQ(message_of(operation({three}, four)), "scan: x has 3 elements; it must have 4");
}

}  // namespace
}  // namespace vyre::primitives
