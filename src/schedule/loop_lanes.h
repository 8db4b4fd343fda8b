// The step that makes vectors along loops: iterations of an innermost loop become lanes, and what
// the loop accumulates becomes as many partial accumulations, which are put together after it.
//
//   for k in 0 .. n { s = s + a[k] * b[k] }
//
// becomes
//
//   for k in 0 .. n / 8 * 8 step 8 { s_8 = s_8 + a[k : 8] * b[k : 8] }
//   s = s + (the sum of the lanes of s_8)
//   for k in n / 8 * 8 .. n { s = s + a[k] * b[k] }
//
// A loop whose accesses are neighbours from invocation to invocation, and not all from iteration to
// iteration, is left as it is: vectors along x suit it. Only where a program has loops of both
// kinds, both steps are taken.
//
// Legal where iterations touch nothing that another one writes, but what they accumulate. Integers,
// minima and maxima keep their bits; sums and products of floats do not, so they need the program's
// word that order does not matter.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedule/step.h"

namespace vyre::schedule {

inline constexpr std::string_view loop_vector_name = "loop_vector";
inline constexpr std::string_view loop_parts_name = "loop_parts";
extern const Step loop_lanes_step;

struct LoopLanes {
  std::uint32_t width = 1;  // lanes: 2, 4, 8 or 16
  std::uint32_t parts = 1;  // vectors side by side, each with accumulations of its own
};

// Every innermost loop that it is legal for; refused, with the reason of the first, where it is for
// none. A width of 1 changes nothing.
[[nodiscard]] Result<ir::Program> with_loop_lanes(const ir::Program& program, LoopLanes how);

}  // namespace vyre::schedule
