// Running sums: y[i] = x[0] + ... + x[i], or without x[i] itself (exclusive). f32, i32 or u32
// (integer sums wrap).
//
// Three programs: every invocation sums its contiguous share; one invocation makes running sums of
// those; every invocation goes over its share again from where the shares before it end (Blelloch,
// "Prefix sums and their applications", 1990). The order of additions is fixed by the options.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/primitives/operation.h"

namespace vyre::primitives {

struct ScanOptions {
  std::uint32_t n = 0;  // up to 2^31
  bool exclusive = false;
  Scalar element = Scalar::f32;
  std::uint32_t items = 0;  // shares of the input; 0: chosen for the device
};

// Buffers: x (n), sums (items), y (n). Requires: items is not 0.
[[nodiscard]] Result<std::vector<ir::Program>> scan_programs(const ScanOptions& options);

void scan_reference(std::span<const double> x, bool exclusive, std::span<double> y);

// Input: x. Output: y.
[[nodiscard]] Result<Operation> scan(device::Device& device, const ScanOptions& options);

}  // namespace vyre::primitives
