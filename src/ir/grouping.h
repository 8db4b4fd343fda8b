// Whether a program can tell how its invocations are grouped.
//
// Where it cannot, invocations meet nowhere and any workgroup, any order and any batch of them
// gives the same result.
#pragma once

#include "ir/names.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

// Whether there is a barrier anywhere in the block: then the grid must be whole workgroups.
[[nodiscard]] bool has_barrier(const Block& block);

// Whether this is an id that depends on the workgroup: any but invocation and grid.
[[nodiscard]] bool is_group_id(const Expr& expr);

// Whether the result can depend on the workgroup's shape: barriers, shared memory, local or group
// ids, or a size that names the workgroup. Such a program runs only with the workgroup it declares.
[[nodiscard]] bool depends_on_workgroup(const Program& program);

// Names that have one value for all of a workgroup wherever its invocations come together:
// uniforms, and lets and loop variables that are made of literals, such names and the ids of the
// group.
[[nodiscard]] NameSet names_of_group(const Program& program);

// Whether an expression is made of these. Loads are not.
[[nodiscard]] bool is_same_for_group(const Expr& expr, const NameSet& names);

}  // namespace vyre::ir
