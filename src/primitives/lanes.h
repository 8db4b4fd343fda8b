// Vectors in registers: transposing them, and replacing one lane.
#pragma once

#include <vector>

#include "vyre/ir/build.h"

namespace vyre::primitives {

// `rows` as a square of lanes, transposed, by shuffles of two vectors each. Requires as many rows
// as lanes.
[[nodiscard]] std::vector<ir::Value> transpose_lanes(ir::Builder& k, std::vector<ir::Value> rows);

// `vector` with one lane replaced.
[[nodiscard]] ir::Value with_lane(const ir::Value& vector, std::uint8_t lane,
                                  const ir::Value& value);

}  // namespace vyre::primitives
