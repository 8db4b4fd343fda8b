// The step that takes a few neighbouring items in x together before vectors are made: items whose
// numbers are 2 k and 2 k + 1, where indices are quotients of the item's number.
//
//   out[x] = image[x / 2]        becomes        out[2 * k] = image[k]
//                                               out[2 * k + 1] = image[k]
//
// for k = 0, 1, ...: then neighbouring invocations access neighbouring elements, and vectors can be
// made of them. See schedule/quotients.h and, for what is stored, schedule/interleave.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedule/step.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

inline constexpr std::string_view phases_name = "phases";
extern const Step phases_step;

// Legal for independent programs; refused where no quotient becomes simpler.
[[nodiscard]] Result<ir::Program> with_phases(const ir::Program& program, std::uint32_t phases);

}  // namespace vyre::schedule
