// The step that brings what stencils load, an invocation's own place and its neighbours, into
// shared memory: one tile with a border for each buffer.
#pragma once

#include <string_view>

#include "schedule/step.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

extern const Step halo_step;

inline constexpr std::string_view halo_name = "halo";

// Legal where invocations are independent (see with_workgroup), for buffers that nothing writes:
// every group loads what there is of its tile, waits, and then reads from it. The grid is rounded
// up to whole workgroups of the shape that the program has; the surplus loads and waits with the
// others and does nothing else. Refuses where no buffer is loaded from at neighbouring places.
[[nodiscard]] Result<ir::Program> with_halo(const ir::Program& program);

}  // namespace vyre::schedule
