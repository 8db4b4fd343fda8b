#include "primitives/convolution.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "primitives/suite.h"
#include "support/device.h"

namespace vyre::primitives {

std::vector<Case> convolution_cases() {
  std::vector<Case> cases;
  for (const ConvolutionOptions& options :
       {ConvolutionOptions{.width = 37, .height = 23},
        ConvolutionOptions{.width = 5, .height = 3, .filter_width = 7, .filter_height = 4}}) {
    const auto& [width, height, fw, fh, schedule, decisions] = options;
    const std::vector<float> image = random_floats(std::size_t{width} * height, 1);
    const std::vector<float> filter = random_floats(std::size_t{fw} * fh, 2);
    std::vector<double> expected(image.size());
    convolution_reference(doubles(image), doubles(filter), options, expected);
    cases.push_back(operation_case(
        fmt::format("convolution_{}_{}", fw, fh), {good(convolution_program(options))},
        [=](device::Device& device) { return convolution(device, options); }, {image, filter},
        expected, 1e-6));
  }
  return cases;
}

namespace {

TEST(Convolution, WithAShiftedOneShiftsTheImageAndBringsInZeros) {
  const auto device = testing::opened("opencl");
  auto operation = good(convolution(*device, {.width = 3, .height = 2}));
  const std::vector<float> image = {1, 2, 3, 4, 5, 6};
  const std::vector<float> right_neighbour = {0, 0, 0, 0, 0, 1, 0, 0, 0};
  std::vector<float> out(6);
  good(operation({image, right_neighbour}, out));
  EXPECT_EQ(out, (std::vector<float>{2, 3, 0, 5, 6, 0}));
}

TEST(Convolution, RefusesBadOptionsByNameAndNumber) {
  EXPECT_EQ(message_of(convolution_program({.width = 4, .height = 0})),
            "convolution: height is 0; it must be at least 1");
  EXPECT_EQ(message_of(convolution_program({.width = 4, .height = 4, .filter_width = 0})),
            "convolution: filter_width is 0; it must be at least 1");
  EXPECT_EQ(message_of(convolution_program({.width = 70000, .height = 70000})),
            "convolution: width * height = 70000 * 70000 elements is over 4294967295");
  const auto device = testing::opened("reference");
  auto operation = good(convolution(*device, {.width = 2, .height = 2}));
  std::vector<float> four(4);
  EXPECT_EQ(message_of(operation({four, four}, four)),
            "convolution: filter has 4 elements; it must have 9");
}

}  // namespace
}  // namespace vyre::primitives
