// The step that gives each invocation several items of the grid to do instead of one.
//
// A dimension of the grid is divided by the number of items, rounded up; the body runs once for
// each item, with the item's number in place of the invocation's. Items beyond the grid's end are
// left out.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "schedule/step.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

extern const Step coarsen_step;

// Of the parameters: the items, by dimension, and their order.
inline constexpr std::array<std::string_view, 3> items_names = {"items_x", "items_y", "items_z"};
inline constexpr std::string_view order_name = "order";

enum class Order : std::uint8_t {
  contiguous,  // invocation i does items i * n .. i * n + n - 1: good for a CPU's cache
  strided,     // invocation i does items i, i + grid, i + 2 * grid, ...: neighbours stay neighbours
  jammed,      // as contiguous, but side by side: each statement for all items before the next one,
               // so that what they have in common is loaded and computed once, in registers
};

inline constexpr std::array<std::string_view, 3> order_words = {"contiguous", "strided", "jammed"};

struct Coarsening {
  std::uint8_t dim = 0;
  std::uint32_t items = 1;
  Order order = Order::contiguous;
  bool for_quotients = false;  // refused where the items' quotients do not become simpler
};

// Legal where invocations are independent of each other: see with_workgroup. Jammed also where they
// meet at barriers; the items are then those of a workgroup: see schedule/group_items.h.
[[nodiscard]] Result<ir::Program> coarsened(const ir::Program& program, Coarsening coarsening);

}  // namespace vyre::schedule
