// The everyday kernels: elementwise chains, reduce, scan, transpose, stencil, convolution.
//
// Each is a function that makes an Operation (pipeline.h) for a device: compiled once, launched
// many times, no allocation after that. All refuse a size of 0 and more elements than u32 counts,
// by name and with the numbers. Where the order of additions matters it is fixed by the options, so
// the result is the same from run to run and on every device.
//
// Those with `decisions` ask them where the options leave a choice: see decisions.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/build.h"
#include "vyre/primitives/pipeline.h"
#include "vyre/schedule/schedule.h"

namespace vyre::primitives {

class Decisions;

// The same function of every element, f32: a chain of steps in one program, so that what one step
// leaves stays in registers for the next.
//
//   // y = max(a x + b, 0)
//   elementwise(device, {.n = 1000, .inputs = {"x", "b"}, .steps = {
//       {"scale", [](auto in) { return std::vector{in[0] * 2.0F + in[1]}; }},
//       {"relu", [](auto in) { return std::vector{max(in[0], 0.0F)}; }}}});
//
// The first step is given the inputs, every other what the step before it returned; the last
// returns one value. A step is called once to build the program, with vectors.
struct ElementwiseStep {
  std::string name;  // of the variables that hold its results
  std::function<std::vector<ir::Value>(std::span<const ir::Value>)> apply;
};

struct ElementwiseOptions {
  std::uint32_t n = 0;
  std::vector<std::string> inputs = {"x"};  // names of buffers
  std::vector<ElementwiseStep> steps;
  std::uint32_t lanes = 8;  // elements per invocation: 1, 2, 4, 8 or 16
};

// Inputs: as named. Output: y; n elements each.
[[nodiscard]] Result<Operation> elementwise(device::Device& device,
                                            const ElementwiseOptions& options);

// The sum, the least or the largest of many numbers: f32, i32 or u32 (integer sums wrap).
enum class ReduceOp : std::uint8_t { sum, min, max };
[[nodiscard]] std::string_view name_of(ReduceOp op);

struct ReduceOptions {
  std::uint32_t n = 0;  // up to 2^31
  ReduceOp op = ReduceOp::sum;
  Scalar element = Scalar::f32;
  // Shares of the input; 0: as was decided, else chosen for the device, and the order with them.
  std::uint32_t items = 0;
  // Neighbouring invocations read neighbouring vectors, as GPUs want it, instead of each its own
  // contiguous part, as CPUs do.
  bool strided = false;
  const Decisions* decisions = nullptr;
};

// Input: x. Output: result, one element.
[[nodiscard]] Result<Operation> reduce(device::Device& device, const ReduceOptions& options);

// Running sums: y[i] = x[0] + ... + x[i], or without x[i] itself (exclusive). f32, i32 or u32
// (integer sums wrap).
struct ScanOptions {
  std::uint32_t n = 0;  // up to 2^31
  bool exclusive = false;
  Scalar element = Scalar::f32;
  std::uint32_t items = 0;  // shares of the input; 0: as was decided, else chosen for the device
  const Decisions* decisions = nullptr;
};

// Input: x. Output: y.
[[nodiscard]] Result<Operation> scan(device::Device& device, const ScanOptions& options);

// The transpose of a row-major matrix of f32: t[c][r] = a[r][c].
struct TransposeOptions {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  // The side of the square that one workgroup moves through shared memory, so that reading and
  // writing both go along rows; 0 moves each element straight.
  std::uint32_t tile = 0;
  // The steps that are taken on the program; none: as was decided if tile is 0, else as it is.
  std::optional<schedule::Schedule> schedule = {};
  const Decisions* decisions = nullptr;
};

// Input: a. Output: t.
[[nodiscard]] Result<Operation> transpose(device::Device& device, const TransposeOptions& options);

// A star-shaped stencil on a field of one, two or three dimensions, f32, x fastest:
//
//   v = w0 u + sum over d = 1 .. radius of wd * (the neighbours of u at distance d along each axis)
//
// Axes of extent 1 have no neighbours. Cells within `radius` of an edge keep their value.
struct StencilOptions {
  Extent extent = {0, 1, 1};  // cells along x, y and z
  // w0, w1, ...: the radius is one less than their number
  std::vector<float> weights = {0.5F, 0.1F};
};

// Input: u. Output: v.
[[nodiscard]] Result<Operation> stencil(device::Device& device, const StencilOptions& options);

// A filter over an image, f32, row major, the same size out as in, zeros beyond the edges:
//
//   out[y][x] = sum over j, i of
//               filter[j][i] * image[y + j - filter_height / 2][x + i - filter_width / 2]
//
// The filter is not flipped (a correlation, as machine learning calls a convolution).
struct ConvolutionOptions {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t filter_width = 3;
  std::uint32_t filter_height = 3;
  // The steps that are taken on the program; none: as was decided, else as it is.
  std::optional<schedule::Schedule> schedule = {};
  const Decisions* decisions = nullptr;
};

// Inputs: image, filter. Output: out.
[[nodiscard]] Result<Operation> convolution(device::Device& device,
                                            const ConvolutionOptions& options);

}  // namespace vyre::primitives
