// The step that writes the bodies of loops several times, to save tests and jumps and to let a
// compiler see more at once.
#pragma once

#include <cstdint>

#include "schedule/step.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

extern const Step unroll_step;

// Unrolls every innermost loop whose step is a positive literal: `factor` iterations at a time,
// what is left over in a loop as before; a loop of at most `factor` iterations with literal bounds
// disappears, and so does one around those that did, as long as few statements come of it. A loop
// with a barrier must have a step of 1, or bounds that are literals or the same for all of a
// workgroup. What it makes is for the workgroup that the program has, whose extents count as
// literals. Refuses where no loop can be unrolled, and where the body would be too long.
[[nodiscard]] Result<ir::Program> unrolled(const ir::Program& program, std::uint32_t factor);

}  // namespace vyre::schedule
