// The step that adds up in a workgroup what its invocations add to one element by atomics: each in
// a variable, then all by a tree in shared memory, of which one invocation adds the root.
//
//   atomic sum[0] += x[invocation.x]
//
// becomes, in groups of 4,
//
//   var s = 0
//   if invocation.x < n { s = s + x[invocation.x] }
//   all[local.x] = s
//   barrier
//   if local.x < 2 { all[local.x] = all[local.x] + all[local.x + 2] }
//   barrier
//   if local.x < 1 { all[local.x] = all[local.x] + all[local.x + 1] }
//   if local.x == 0 { if all[0] != 0 { atomic sum[0] += all[0] } }
//
// This is the shape that GPUs need, whose groups are large and whose atomics to one element wait
// for each other. Sums of u32 and i32 wrap, so they are the same in any grouping; to floats only
// programs with `reassociate` add by atomics.
#pragma once

#include <string_view>

#include "schedule/step.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

inline constexpr std::string_view tree_name = "tree";
extern const Step group_sums_step;

// Legal where invocations are independent of each other, for arrays that the program adds to by
// atomics and accesses in no other way, at indices that are the same for all of a workgroup; other
// atomics stay. Barriers need whole workgroups, so the grid is rounded up; surplus invocations add
// nothing.
[[nodiscard]] Result<ir::Program> with_group_sums(const ir::Program& program, Extent workgroup);

}  // namespace vyre::schedule
