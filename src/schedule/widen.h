// Statements for several items at once: the body of one item becomes the body of `width` items that
// go through it side by side, statement by statement.
//
// Items are invocations of the original program, which are independent, so their statements may be
// interleaved at will. Ifs and loops that all items take alike are kept once. Where items part
// ways, what is mostly arithmetic is done by all, under masks; another if is tested for all of them
// together, and if that fails, they go one after the other.
#pragma once

#include "ir/names.h"
#include "schedule/lanes.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

struct Widened {
  ir::Block body;
  bool has_wide_access = false;  // a vector of memory was loaded or stored
  ir::NameSet spread;            // private buffers that hold `width` times as much now
};

// Requires: unique names, independent invocations.
[[nodiscard]] Widened widened(const ir::Block& body, const Lanes::Options& options,
                              ir::Names& names);

}  // namespace vyre::schedule
