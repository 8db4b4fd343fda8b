#include "primitives/elementwise.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "primitives/suite.h"
#include "support/device.h"

namespace vyre::primitives {
namespace {

using Values = std::span<const ir::Value>;

std::vector<ElementwiseStep> scale_and_clip() {
  return {{"scaled", [](Values in) { return std::vector{in[0] * 3 + in[1]}; }},
          {"clipped", [](Values in) { return std::vector{max(in[0], 0)}; }}};
}

}  // namespace

std::vector<Case> elementwise_cases() {
  std::vector<Case> cases;
  for (const std::uint32_t lanes : {1U, 8U}) {
    const ElementwiseOptions options{
        .n = 1003, .inputs = {"x", "b"}, .steps = scale_and_clip(), .lanes = lanes};
    const std::vector<float> x = random_floats(1003, 1);
    const std::vector<float> b = random_floats(1003, 2);
    std::vector<double> expected(x.size());
    elementwise_reference(
        std::vector{doubles(x), doubles(b)},
        [](std::span<const double> in) { return std::max(3 * in[0] + in[1], 0.0); }, expected);
    cases.push_back(operation_case(
        fmt::format("elementwise_{}", lanes), {good(elementwise_program(options))},
        [=](device::Device& device) { return elementwise(device, options); }, {x, b}, expected,
        1e-6));
  }
  return cases;
}

namespace {

TEST(Elementwise, RefusesChainsThatCannotBeBuilt) {
  const auto refused = [](ElementwiseOptions options) {
    return message_of(elementwise_program(options));
  };
  EXPECT_EQ(refused({.n = 0, .steps = scale_and_clip()}),
            "elementwise: n is 0; it must be at least 1");
  EXPECT_EQ(refused({.n = 4}), "elementwise: has no steps; it needs at least one");
  EXPECT_EQ(refused({.n = 4, .steps = scale_and_clip(), .lanes = 3}),
            "elementwise: lanes is 3; it must be 1, 2, 4, 8 or 16");
  const ElementwiseStep pair{"pair", [](Values in) { return std::vector{in[0], in[0]}; }};
  EXPECT_EQ(refused({.n = 4, .steps = {pair}}),
            "elementwise: the last step, pair, returned 2 values; it must return 1");
  const ElementwiseStep whole{"whole",
                              [](Values in) { return std::vector{convert(Scalar::u32, in[0])}; }};
  EXPECT_EQ(refused({.n = 4, .steps = {whole}}),
            "elementwise: step whole returned u32x8; it must return f32x8");
}

}  // namespace
}  // namespace vyre::primitives
