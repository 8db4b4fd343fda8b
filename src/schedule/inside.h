// The step that takes borders out of the way: where an invocation is so far inside that no index is
// clamped, wrapped or tested in vain, it runs a body without any of that.
//
//   sum = sum + image[min(max(x + i - 2, 0), w - 1)]       for i in 0 .. 5 becomes
//
//   if x - 2 >= 0 & x + 2 <= w - 1 { sum = sum + image[x + i - 2] } else { the body as it was }
//
// A loop that begins at the place, but runs equally often everywhere inside, counts from 0:
//
//   for v in max(x, 1) - 1 .. min(x + 2, w)   becomes   for i in 0 .. 3 { let v = x - 1 + i ... }
//
// so that neighbouring invocations access neighbouring elements. Always legal for independent
// programs, and to the bit the same: what is assumed is tested before.
#pragma once

#include <string_view>

#include "schedule/step.h"

namespace vyre::schedule {

extern const Step inside_step;

inline constexpr std::string_view inside_name = "inside";

// Assumes what holds in the middle of the grid at the uniforms' defaults; refuses where nothing
// that depends on the place in the grid can be left out so.
[[nodiscard]] Result<ir::Program> split_inside(const ir::Program& program);

}  // namespace vyre::schedule
