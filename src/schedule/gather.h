// The step that adds up in a variable what a loop adds to one element by atomics.
//
// After coarsening, an invocation whose items all count into the same place adds once instead of
// once per item. Sums of u32 and i32 wrap, so they are the same in any grouping; those of floats
// are not, and a program that adds to floats by atomics says that this does not matter.
#pragma once

#include <string_view>

#include "schedule/step.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

inline constexpr std::string_view gather_name = "gather";
extern const Step gather_step;

// Moves atomic adds out of loops where the index is the same in all iterations and the loop neither
// reads nor stores to the buffer. After the loop the sum is added if it is not zero: then the loop
// did reach the atomic. Loops with barriers are left alone. Refuses where there is no such atomic.
[[nodiscard]] Result<ir::Program> gathered(const ir::Program& program);

}  // namespace vyre::schedule
