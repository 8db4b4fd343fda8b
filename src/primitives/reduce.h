// The programs of `reduce` and its f64 reference.
//
// Every invocation reduces its share of the input to one number with several vector accumulators,
// and one invocation reduces those.
#pragma once

#include <span>
#include <vector>

#include "vyre/primitives/everyday.h"

namespace vyre::primitives {

// As the options say, or as is usually best on such a device.
[[nodiscard]] ReduceOptions automatic_shares(ReduceOptions options, const device::Adapter& adapter);

// Two programs. Buffers: x (n), parts (items), result (1). Requires: items is not 0.
[[nodiscard]] Result<std::vector<ir::Program>> reduce_programs(const ReduceOptions& options);

// What the first program leaves in parts: the share of each invocation reduced.
[[nodiscard]] std::vector<double> reduce_parts_reference(std::span<const double> x,
                                                         const ReduceOptions& options);

[[nodiscard]] double reduce_reference(std::span<const double> x, ReduceOp op);

}  // namespace vyre::primitives
