// The programs of `scan` and its f64 reference.
//
// Three programs: every invocation sums its contiguous share; one invocation makes running sums of
// those; every invocation goes over its share again from where the shares before it end (Blelloch,
// "Prefix sums and their applications", 1990).
#pragma once

#include <span>
#include <vector>

#include "vyre/primitives/everyday.h"

namespace vyre::primitives {

// Buffers: x (n), sums (items), y (n). Requires: items is not 0.
[[nodiscard]] Result<std::vector<ir::Program>> scan_programs(const ScanOptions& options);

void scan_reference(std::span<const double> x, bool exclusive, std::span<double> y);

}  // namespace vyre::primitives
