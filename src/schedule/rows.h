// Places in rows: what an item's number is divided by, where the items of an invocation are all in
// one row.
//
//   let row = i / width          let row = first / width
//   let column = i % width       let column = first % width + (i - first)
//
// for the items i from `first` on, so that the row is the same for all of them and columns are
// neighbours. Where a row is as long as a number of whole invocations, its items always are; else
// there is a test for it.
#pragma once

#include <vector>

#include "schedule/lanes.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

struct InRows {
  ir::Block body;
  std::vector<ir::Expr> tests;  // the body stands for the one as it was where they hold
};

// Requires: unique names; `first` is a multiple of the width.
[[nodiscard]] InRows with_rows(const ir::Block& body, const Lanes::Options& options);

}  // namespace vyre::schedule
