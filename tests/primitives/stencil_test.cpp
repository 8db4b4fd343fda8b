#include "primitives/stencil.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "primitives/suite.h"
#include "support/device.h"

namespace vyre::primitives {

std::vector<Case> stencil_cases() {
  std::vector<Case> cases;
  for (const StencilOptions& options :
       {StencilOptions{.extent = {101, 1, 1}}, StencilOptions{.extent = {33, 21, 1}},
        StencilOptions{.extent = {19, 13, 11}, .weights = {0.4F, 0.05F, 0.03F}}}) {
    const auto& [x, y, z] = options.extent;
    const std::vector<float> u = random_floats(std::size_t{x} * y * z, 1);
    std::vector<double> expected(u.size());
    stencil_reference(doubles(u), options, expected);
    cases.push_back(operation_case(
        fmt::format("stencil_{}_{}_{}", x, y, z), {good(stencil_program(options))},
        [=](device::Device& device) { return stencil(device, options); }, {u}, expected, 1e-6));
  }
  return cases;
}

namespace {

// A sine is an eigenvector of the three-point stencil: w0 + 2 w1 cos(h).
TEST(Stencil, ScalesASineByItsEigenvalue) {
  const auto device = testing::opened("opencl");
  constexpr std::uint32_t n = 65;
  constexpr double h = std::numbers::pi / (n - 1);
  auto operation = good(stencil(*device, {.extent = {n, 1, 1}, .weights = {0.5, 0.25}}));
  std::vector<float> u(n);
  for (std::uint32_t i = 0; i < n; ++i) u[i] = static_cast<float>(std::sin(h * i));
  std::vector<float> v(n);
  good(operation({u}, v));
  for (std::uint32_t i = 1; i + 1 < n; ++i) {
    EXPECT_NEAR(v[i], (0.5 + 0.5 * std::cos(h)) * std::sin(h * i), 1e-6);
  }
  EXPECT_EQ(v[0], u[0]);
}

TEST(Stencil, RefusesBadOptionsByNameAndNumber) {
  EXPECT_EQ(message_of(stencil_program({.extent = {4, 0, 1}})),
            "stencil: y is 0; it must be at least 1");
  EXPECT_EQ(message_of(stencil_program({.extent = {70000, 70000, 1}})),
            "stencil: x * y * z = 70000 * 70000 * 1 elements is over 4294967295");
  EXPECT_EQ(message_of(stencil_program({.extent = {4, 4, 1}, .weights = {}})),
            "stencil: was given 0 weights; it takes from 1 to 9");
  const auto device = testing::opened("reference");
  auto operation = good(stencil(*device, {.extent = {4, 1, 1}}));
  std::vector<float> four(4);
  std::vector<float> three(3);
  EXPECT_EQ(message_of(operation({four}, three)), "stencil: v has 3 elements; it must have 4");
}

}  // namespace
}  // namespace vyre::primitives
