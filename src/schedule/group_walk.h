// A few workgroups that walk over a grid, each over a share of it, in place of one for each part.
//
// A block is what one workgroup of the grid did. With B of them, group g of G takes
//
//   g * (B / G) + min(g, B % G)  ..  (g + 1) * (B / G) + min(g + 1, B % G)
//
// so shares differ by one block at most, and no bound leaves u32.
#pragma once

#include <array>
#include <cstdint>

#include "ir/names.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

struct GroupWalk {
  std::array<ir::Expr, 3> grid;  // whole workgroups
  ir::Block body;                // every item of the grid as it was, once
};

// The walk of at most `groups` workgroups of this shape; a grid of more than 2^32 blocks cannot be
// launched. Requires: unique names, which are in `names`; independent invocations.
[[nodiscard]] GroupWalk walked_by_groups(const ir::Program& program, const Extent& workgroup,
                                         std::uint32_t groups, ir::Names& names);

}  // namespace vyre::schedule
