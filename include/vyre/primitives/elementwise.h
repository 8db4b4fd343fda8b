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
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/build.h"
#include "vyre/primitives/operation.h"

namespace vyre::primitives {

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

// Buffers: the inputs and y, n elements each.
[[nodiscard]] Result<ir::Program> elementwise_program(const ElementwiseOptions& options);

// `function` of the inputs' elements, one after the other.
void elementwise_reference(std::span<const std::vector<double>> inputs,
                           const std::function<double(std::span<const double>)>& function,
                           std::span<double> y);

// Inputs: as named. Output: y.
[[nodiscard]] Result<Operation> elementwise(device::Device& device,
                                            const ElementwiseOptions& options);

}  // namespace vyre::primitives
