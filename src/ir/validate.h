// The rules a program must keep before anything else looks at it: names, types, access, limits.
//
// parse, build and compose return validated programs only; later layers assert and do not ask
// again.
#pragma once

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

// All problems, in the order of the text; empty for a valid program. Each says what to do.
[[nodiscard]] Problems validate(const Program& program);

// Whether the body has a barrier anywhere: then the grid must be whole workgroups.
[[nodiscard]] bool has_barrier(const Block& block);

// Whether the result can depend on the workgroup's shape: barriers, shared memory, local or group
// ids, or a size that names the workgroup. Such a program runs only with the workgroup it declares.
[[nodiscard]] bool depends_on_workgroup(const Program& program);

}  // namespace vyre::ir
