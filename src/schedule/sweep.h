// The step that passes over a matrix once where a program needs its rows and its columns: some
// groups of rows side by side, each of which adds up its rows, and all columns as far as it sees
// them; a second stage adds up what the groups have of each column.
//
//   grid n                                   grid 4
//   for j in 0 .. n {                        for j in 0 .. n { partial[invocation.x * n + j] = 0 }
//     along = along + a[i * n + j] * p[j]    for row in a quarter of 0 .. n {
//     across = across + a[j * n + i] * r[j]    for j in 0 .. n {
//   }                                            along = along + a[row * n + j] * p[j]
//   q[i] = along                                 partial[...] += a[row * n + j] * r[row]
//   s[i] = across                              }
//                                              q[row] = along
//                                            }
//                                            then grid n { s[i] = sum of partial[group * n + i] }
//
// Parts with schedules of their own (schedule/fission.h) read such a matrix twice. The first stage
// takes all other steps of a schedule, the second none.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedule/split_sums.h"
#include "schedule/step.h"

namespace vyre::schedule {

inline constexpr std::string_view sweep_name = "sweep_groups";
extern const Step sweep_step;

// Legal for independent programs of two parts (parts_of) in one dimension. One goes along memory
// and has a loop over all invocations of the other; the other has a loop over all invocations of
// the first, which only adds up, and for which order does not matter. Requires: at least 2 groups.
[[nodiscard]] Result<SumStages> sweep_stages(const ir::Program& program, std::uint32_t groups);

}  // namespace vyre::schedule
