// The step that puts loops outside and the items of an invocation inside.
//
//   for j in 0 .. m { sum = sum + a[j * n + x] }      for j in 0 .. m {
//                                                       for item in 0 .. 32 {
//                                                         sums[item] = sums[item] + a[j * n + x +
//                                                         item]
//                                                       }
//                                                     }
//
// Each invocation does neighbouring items in x; variables become arrays. Columns of a matrix are
// then read in long pieces of rows, as memory likes it, where items one after the other would go
// through all rows for each, and items side by side in registers are too few.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedule/step.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

extern const Step interchange_step;

inline constexpr std::string_view interchange_name = "interchange";

// To the bit the same: each item computes as it did, in its order. Legal where invocations are
// independent of each other and have no private buffers yet. Refuses where no loop is run alike by
// all items.
[[nodiscard]] Result<ir::Program> interchanged(const ir::Program& program, std::uint32_t items);

}  // namespace vyre::schedule
