#include "primitives/transpose.h"

#include <gtest/gtest.h>

#include "primitives/suite.h"
#include "support/device.h"

namespace vyre::primitives {

std::vector<Case> transpose_cases() {
  std::vector<Case> cases;
  for (const std::uint32_t tile : {0U, 8U}) {
    const TransposeOptions options{.rows = 37, .columns = 50, .tile = tile};
    const std::vector<float> a = random_floats(37 * 50, 1);
    std::vector<double> expected(a.size());
    transpose_reference(doubles(a), options.rows, options.columns, expected);
    cases.push_back(operation_case(
        tile == 0 ? "transpose" : "transpose_tiled", {good(transpose_program(options))},
        [=](device::Device& device) { return transpose(device, options); }, {a}, expected, 0));
  }
  return cases;
}

namespace {

TEST(Transpose, OfATransposeIsTheMatrix) {
  const auto device = testing::opened("opencl");
  auto there = good(transpose(*device, {.rows = 5, .columns = 9}));
  auto back = good(transpose(*device, {.rows = 9, .columns = 5}));
  const std::vector<float> a = random_floats(45, 2);
  std::vector<float> t(45);
  std::vector<float> again(45);
  good(there({a}, t));
  good(back({t}, again));
  EXPECT_EQ(again, a);
}

TEST(Transpose, RefusesBadShapesByNameAndNumber) {
  EXPECT_EQ(message_of(transpose_program({.rows = 0, .columns = 4})),
            "transpose: rows is 0; it must be at least 1");
  EXPECT_EQ(message_of(transpose_program({.rows = 70000, .columns = 70000})),
            "transpose: rows * columns = 70000 * 70000 elements is over 4294967295");
  const auto device = testing::opened("reference");
  auto operation = good(transpose(*device, {.rows = 2, .columns = 3}));
  std::vector<float> six(6);
  std::vector<float> five(5);
  EXPECT_EQ(message_of(operation({five}, six)), "transpose: a has 5 elements; it must have 6");
  EXPECT_EQ(message_of(operation({six}, five)), "transpose: t has 5 elements; it must have 6");
  EXPECT_EQ(message_of(operation({six, six}, six)), "transpose: was given 2 inputs; it takes 1");
}

}  // namespace
}  // namespace vyre::primitives
