// A schedule: one choice for each step. The value that the tuner chooses and remembers.
//
// As text it is its parameters, "wg_x=64 wg_y=1 wg_z=1 items_x=4 ...", in any order; what is left
// out is as in the schedule that the text is put over.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schedule/coarsen.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

struct Schedule {
  Extent workgroup = default_workgroup;
  Extent items = {1, 1, 1};  // per invocation, in each dimension
  Order order = Order::contiguous;
  std::uint32_t unroll = 1;
  std::uint32_t vector = 1;
  std::uint32_t tile = 0;    // iterations of a loop per tile in shared memory; 0: no tiles
  std::uint32_t gather = 0;  // 1: what a loop adds by atomics to one element is added once

  bool operator==(const Schedule&) const = default;
};

// The program as it is: its own workgroup and no other step.
[[nodiscard]] Schedule default_schedule(const ir::Program& program);

// Takes the steps in a fixed order, each with what the one before it made: tiles, unrolling,
// vectors, items per invocation (vectors, where there are any) in x, y and z, gathering of atomic
// adds, then the workgroup.
// The error is that of the first step that is not legal.
[[nodiscard]] Result<ir::Program> apply(const ir::Program& program, const Schedule& schedule);

[[nodiscard]] std::string to_string(const Schedule& schedule);
[[nodiscard]] Result<Schedule> parse_schedule(std::string_view text, Schedule from = {});

[[nodiscard]] std::string_view name_of(Order order);

}  // namespace vyre::schedule
