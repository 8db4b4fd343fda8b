// Loops that items run differently far, as in triangles: the part of their range that all items
// have in common becomes a loop of its own, which items can go through side by side.
//
//   for k in 0 .. row + 1 { ... }        with items row = first, first + 1, ..., first + 7 becomes
//
//   for k in 0 .. first + 1 { ... }
//   for k in first + 1 .. row + 1 { ... }
//
// Every item runs the same iterations in the same order as before.
#pragma once

#include "ir/names.h"
#include "schedule/lanes.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// The body of the items. Loops that go in steps of one, and whose bounds are the same for all items
// or grow or shrink from item to item by a small number, are split; others stay. Requires: unique
// names, and items whose statements may be interleaved.
[[nodiscard]] ir::Block with_common_ranges(const ir::Block& body, const Lanes::Options& options,
                                           ir::Names& names);

}  // namespace vyre::schedule
