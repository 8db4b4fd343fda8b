// Two programs in one launch: a dimension that neither uses says which of them an invocation runs.
#pragma once

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// The grid is that of the larger one in each dimension; what the smaller one does not have does
// nothing. All buffers of `interface` are kept, in its order, then those that the parts have
// besides (private arrays), under names of their own. Requires: programs that write no buffer that
// the other one accesses; independent invocations; unique names. Refuses where all three dimensions
// are used.
[[nodiscard]] Result<ir::Program> side_by_side(const ir::Program& interface,
                                               const ir::Program& first, const ir::Program& second);

}  // namespace vyre::schedule
