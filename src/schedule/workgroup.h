// The step that sets the shape of the workgroup.
#pragma once

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// Legal where the result cannot depend on how invocations are grouped: no barriers, no shared
// memory, no local or group ids, no size that names the workgroup. The grid need not be a multiple.
[[nodiscard]] Result<ir::Program> with_workgroup(const ir::Program& program, Extent workgroup);

}  // namespace vyre::schedule
