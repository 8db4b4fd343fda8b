// Counters that lanes share in a loop that they leave at different times. What is counted from the
// same number by the same steps is the same for all that are still in the loop, though each leaves
// with a count of its own:
//
//   var k = 0                               var k_all = 0
//   while k < m {                           var k = k_all
//     if t[x + k] != p[k] { break }         while k_all < m {
//     k = k + 1                               if t[x + k_all] != p[k_all] { break }
//   }                                         k_all = k_all + 1
//                                             k = k_all
//                                           }
//
// (k itself is the counter where nobody sees it after the loop)
//
// so that lanes have neighbouring elements in the loop, t[x + k_all : 8], and one p[k_all].
#pragma once

#include "ir/names.h"
#include "schedule/lanes.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// The body with such counters, which are noted in `options`: in loops that items can leave apart
// and that access memory. An item in the loop has k == k_all but between the two assignments, which
// stand in no other loop and no if: all that are in the loop come to both, or none. Items that are
// no lanes have such counters only in what was a loop of vectors, and need none of their own.
// Requires: unique names.
[[nodiscard]] ir::Block with_counters(ir::Block body, Lanes::Options& options, ir::Names& names);

}  // namespace vyre::schedule
