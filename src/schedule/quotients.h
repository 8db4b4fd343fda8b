// Quotients of an item's number, where its invocation does several items side by side: what they
// are is then known but for the number of the invocation.
//
//   item = 2 * k + 1     item / 2                            =  k
//                        item % 2                            =  1
//                        u32(f32(item) * 0.5 - 0.25)         =  k
//
// So neighbouring invocations access neighbouring elements where items did not: images of half and
// twice the size, pixels that share a colour, bits of words.
//
// Floats are followed as long as every operation is exact: multiples of a power of two, below what
// the mantissa holds. Where that needs the items to be neither too many nor too near the border,
// there is a test for it.
#pragma once

#include <cstdint>
#include <vector>

#include "vyre/ir/program.h"

namespace vyre::schedule {

// The number of an invocation's first item: a name for `count` times `invocation`. The items stay
// within u32.
struct FirstItem {
  ir::Var name;
  ir::Expr invocation;
  std::uint32_t count = 1;
};

struct Simplified {
  ir::Block body;
  std::vector<ir::Expr> tests;  // the body stands for the one as it was where they hold
  bool changed = false;
};
[[nodiscard]] Simplified with_quotients(const ir::Block& body, const FirstItem& first);

}  // namespace vyre::schedule
