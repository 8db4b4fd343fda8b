// The step that splits what is scattered over an array by atomic adds: some groups, each of one
// invocation, walk over a share of the grid and add to copies of their own; a second stage adds the
// copies up.
//
//   grid n                             scratch partial: f32[rows * 4]
//   atomic y[row[i]] += v[i]           grid 4
//                                      for e in 0 .. rows { partial[invocation.x * rows + e] = 0 }
//                                      for i in a quarter of 0 .. n {
//                                        partial[invocation.x * rows + row[i]] += v[i]
//                                      }
//                                      then grid rows { y[e] += sum of partial[group * rows + e] }
//
// It is for arrays that are too large for copies in shared memory (schedule/privatise.h), and for
// devices with few cores. The first stage takes all other steps of a schedule, the second none.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedule/split_sums.h"
#include "schedule/step.h"

namespace vyre::schedule {

inline constexpr std::string_view scatter_name = "scatter_groups";
extern const Step scatter_step;

// Copies of every array that is only added to. Legal for independent programs: u32 and i32 wrap,
// and a program that adds to floats by atomics says that order does not matter. An index out of
// bounds is an error before and after; what emitted code makes of it may differ. Requires: at least
// 2 groups.
[[nodiscard]] Result<SumStages> scatter_stages(const ir::Program& program, std::uint32_t groups);

}  // namespace vyre::schedule
