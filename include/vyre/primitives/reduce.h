// The sum, the least or the largest of many numbers: f32, i32 or u32 (integer sums wrap).
//
// Every invocation reduces its share of the input to one number with several vector accumulators,
// and one invocation reduces those. The order of additions is fixed by the options, so the result
// is the same from run to run and on every device.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/primitives/operation.h"

namespace vyre::primitives {

enum class ReduceOp : std::uint8_t { sum, min, max };
[[nodiscard]] std::string_view name_of(ReduceOp op);

struct ReduceOptions {
  std::uint32_t n = 0;  // up to 2^31
  ReduceOp op = ReduceOp::sum;
  Scalar element = Scalar::f32;
  std::uint32_t items = 0;  // shares of the input; 0: chosen for the device
  // Neighbouring invocations read neighbouring vectors, as GPUs want it, instead of each its own
  // contiguous part, as CPUs do.
  bool strided = false;
};

// Two programs. Buffers: x (n), parts (items), result (1). Requires: items is not 0.
[[nodiscard]] Result<std::vector<ir::Program>> reduce_programs(const ReduceOptions& options);

[[nodiscard]] double reduce_reference(std::span<const double> x, ReduceOp op);

// Input: x. Output: result, one element.
[[nodiscard]] Result<Operation> reduce(device::Device& device, const ReduceOptions& options);

}  // namespace vyre::primitives
