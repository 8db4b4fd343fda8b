// The step that splits what loops accumulate over workgroups, in two stages: the first accumulates
// parts of each loop's range side by side, the second puts the parts together and does the rest.
//
//   grid 1                                grid 4
//   var s = 0.0                           let share = n / 4
//   for i in 0 .. n { s = s + x[i] }      let first = invocation.x * share
//   out[0] = s                            var s_part = 0.0
//                                         for i in 0 .. share { s_part = s_part + x[first + i] }
//                                         partial[invocation.x] = s_part
//                                         then grid 1 {
//                                           var s = 0.0
//                                           for part in 0 .. 4 { s = s + partial[part] }
//                                           for i in n / 4 * 4 .. n { s = s + x[i] }
//                                           out[0] = s
//                                         }
//
// It is for programs with fewer invocations than a device has room for, and long loops. The first
// stage takes all other steps of a schedule, the second none.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedule/step.h"

namespace vyre::schedule {

inline constexpr std::string_view sum_groups_name = "sum_groups";
extern const Step split_sums_step;

// Two stages that are scheduled apart. Both have the partial accumulations as ordinary buffers,
// declared last.
struct SumStages {
  ir::Program parts;
  ir::Program whole;
};

// Loops in the outermost block that only accumulate, store nothing and need no other loop are
// taken. Legal for independent programs with a dimension in which the grid is 1; sums and products
// of floats need the program's word that order does not matter. Refused, with the reason of the
// first loop, where there is none. Requires: at least 2 groups.
[[nodiscard]] Result<SumStages> sum_stages(const ir::Program& program, std::uint32_t groups);

// Other steps are the first stage's: constraints that let only what suits that go with more than
// one of these groups.
void limit_to_first_stage(SpaceMaker& space, std::string_view groups, const ir::Program& parts);

// A step that is declared after those that make stages or parts goes with none of them.
void exclude_parts(SpaceMaker& space, std::string_view name);

// The program of both stages, where `stages.parts` may have taken other steps since.
[[nodiscard]] Result<ir::Program> joined(const ir::Program& program, const SumStages& stages);

}  // namespace vyre::schedule
