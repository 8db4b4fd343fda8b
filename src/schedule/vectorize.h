// The step that makes vector operations of the work of neighbouring invocations in x.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedule/step.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

extern const Step vector_step;

inline constexpr std::string_view vector_name = "vector";
// The most lanes that are legal for a space's program and fit into its grid; 1: no vectors.
[[nodiscard]] std::uint32_t widest_vector(const SpaceMaker& space);

// Each invocation does `width` (2, 4, 8 or 16) neighbouring items, a lane for each. Elements that
// are neighbours for neighbouring items are loaded and stored as vectors, all others one by one.
// Items that do not fill a vector at the grid's end are done by the scalar body in a loop. To the
// bit the same: vector operations work lane by lane.
//
// Legal where invocations are independent of each other: see with_workgroup; and where they meet at
// barriers, for neighbours in a workgroup: see schedule/group_items.h. Refuses where no access
// would be a vector's.
[[nodiscard]] Result<ir::Program> vectorized(const ir::Program& program, std::uint32_t width);

}  // namespace vyre::schedule
