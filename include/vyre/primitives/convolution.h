// A filter over an image, f32, row major, the same size out as in, zeros beyond the edges:
//
//   out[y][x] = sum over j, i of filter[j][i] * image[y + j - filter_height / 2][x + i -
//   filter_width / 2]
//
// The filter is not flipped (a correlation, as machine learning calls a convolution).
#pragma once

#include <cstdint>
#include <span>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/primitives/operation.h"

namespace vyre::primitives {

struct ConvolutionOptions {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t filter_width = 3;
  std::uint32_t filter_height = 3;
  Extent workgroup = {64, 1, 1};
};

// Buffers: image, filter, out.
[[nodiscard]] Result<ir::Program> convolution_program(const ConvolutionOptions& options);

void convolution_reference(std::span<const double> image, std::span<const double> filter,
                           const ConvolutionOptions& options, std::span<double> out);

// Inputs: image, filter. Output: out.
[[nodiscard]] Result<Operation> convolution(device::Device& device,
                                            const ConvolutionOptions& options);

}  // namespace vyre::primitives
