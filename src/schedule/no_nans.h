// The step that computes minima and maxima of floats without the nans: of a number and a nan they
// are the number, for which most devices without an instruction of their own need three.
//
//   best = max(best, x[i])         best = select(best < x[i], x[i], best)      best is never a nan
//
// Where nothing is known of the operands, because they were loaded, they are taken for numbers,
// what is loaded is added up on the way, and if the sum is a nan, all is computed again as it was:
//
//   var loaded = 0.0
//   let value = x[i]
//   loaded = loaded + value
//   ...
//   if loaded != loaded { the body as it was }
//
// To the bit the same, whatever the data; slow where nans, or infinities of both signs, are many.
#pragma once

#include <string_view>

#include "schedule/step.h"

namespace vyre::schedule {

inline constexpr std::string_view no_nans_name = "no_nans";
extern const Step no_nans_step;

// Nothing is computed again where that would not give the same (atomics, barriers, buffers that are
// read and written), or where too little is gained for what is loaded. Refused where no minimum or
// maximum is left to change. A space has it where there are several.
[[nodiscard]] Result<ir::Program> without_nans(const ir::Program& program);

}  // namespace vyre::schedule
