// Whiles that do no harm when they go on after their end: under masks that are all false by then,
// nothing changes. Several of them can run side by side until the last one ends.
//
//   while any(running) { x = select(running, next, x)  running = running & (x < limit) }
//
// What they load beyond their end is there: an element that one that still goes on loads too, or
// one of a buffer that nobody writes to, at a place that is cut off at its end.
#pragma once

#include "schedule/lanes.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// Whether the condition is any(mask) of a variable, and all that the body does beyond the end is to
// compute and to assign, to what was declared outside, only under that mask or under parts of it.
[[nodiscard]] bool may_overrun(const ir::While& loop, const Lanes& lanes);

}  // namespace vyre::schedule
