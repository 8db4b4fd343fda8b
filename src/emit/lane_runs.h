// A vector that is put together from lanes of others, as what it is made of: two halves that are
// lanes of one variable each, or one that is all of it, are fewer words for a compiler than lanes
// that it has to find together. Shorter pieces among single lanes are not: they only hide those.
#pragma once

#include <cstdint>
#include <vector>

#include "vyre/ir/expr.h"

namespace vyre::emit {

struct LaneRun {
  ir::Expr from;
  std::vector<std::uint8_t> lanes;  // 2, 4, 8 or 16 of a variable's; none: all there is

  [[nodiscard]] bool is_whole() const { return lanes.empty(); }
};

[[nodiscard]] std::vector<LaneRun> lane_runs(const ir::Vector& vector);

}  // namespace vyre::emit
