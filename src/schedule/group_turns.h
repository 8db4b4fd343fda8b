// The step that lets one workgroup do the work of several neighbouring ones, one after the other.
//
// For programs whose invocations meet at barriers, where an invocation cannot be given more items.
// Nothing orders groups, so they share no element that one of them writes, but by atomic adds; any
// order of them gives the same result. Their shared memory is used again: a barrier keeps the next
// turn from writing what the last one still reads.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedule/step.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

extern const Step group_turns_step;

inline constexpr std::string_view group_turns_name = "group_turns";

// The dimension in which groups take turns: the first in which there is not just one of them.
[[nodiscard]] std::size_t turned_dimension(const ir::Program& program);

// Legal where the program has a barrier, so that its grid is whole workgroups.
[[nodiscard]] Result<ir::Program> with_group_turns(const ir::Program& program, std::uint32_t turns);

}  // namespace vyre::schedule
