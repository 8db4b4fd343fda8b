#include "schedule/vectorize.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "schedule/common_range.h"
#include "schedule/counters.h"
#include "schedule/group_items.h"
#include "schedule/interleave.h"
#include "schedule/items.h"
#include "schedule/joined_stores.h"
#include "schedule/rows.h"
#include "schedule/space_maker.h"
#include "schedule/widen.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {
namespace {

constexpr std::array vector_parameters = {
    Parameter{vector_name, "neighbouring items in x as lanes"}};

constexpr std::array widths = {2U, 4U, 8U, 16U};

bool fits(const SpaceMaker& space, std::uint32_t width) {
  return width <= space.grid()[0] && space.private_elements() * width <= ir::max_private_elements &&
         vectorized(space.program(), width).has_value();
}

void declare_vector(SpaceMaker& space) {
  std::vector<std::uint32_t> values = {1};
  for (const std::uint32_t width : widths) {
    if (fits(space, width)) values.push_back(width);
  }
  if (values.size() == 1) return;
  space.parameter(vector_name, values);
  if (space.independent() || !space.has(workgroup_names[0])) return;
  space.constraint(fmt::format("{} % {} == 0", workgroup_names[0], vector_name));
}

Lanes::Options lane_options(const auto& items, std::uint32_t width, const ir::Program& program) {
  return {.dim = 0,
          .width = width,
          .vectors = true,
          .first = items.first(),
          .private_buffers = items.private_buffers(),
          .constant_buffers = constant_buffers(program)};
}

// Neighbouring items as lanes; `items` are those of the grid, or of a workgroup.
Result<Widened> with_lanes(auto& items, ir::Block body, Lanes::Options options,
                           std::string_view what) {
  body = with_counters(std::move(body), options, items.names());
  body = with_joined_stores(body, options.constant_buffers, items.names());
  body = with_common_ranges(body, options, items.names());
  body = with_named_loads(body, options, items.names());
  Widened wide = widened(body, options, items.names());
  items.spread(wide.spread);
  if (wide.has_wide_access) return wide;
  return refuse(what, "no two neighbouring invocations access neighbouring elements");
}

Result<ir::Program> vectorized_in_group(const ir::Program& program, std::uint32_t width,
                                        std::string_view what) {
  VYRE_TRY(auto items, GroupItems::make(program, 0, width, what));
  const auto options = lane_options(items, width, program);
  VYRE_TRY(const Widened wide, with_lanes(items, items.body(), options, what));
  return finished(items.with_body(wide.body), what);
}

Result<ir::Program> take_vector(const ir::Program& program, const Schedule& schedule) {
  return vectorized(program, schedule[vector_name]);
}

}  // namespace

constinit const Step vector_step = {vector_parameters, declare_vector, take_vector};

std::uint32_t widest_vector(const SpaceMaker& space) {
  for (auto width = widths.rbegin(); width != widths.rend(); ++width) {
    if (fits(space, *width)) return *width;
  }
  return 1;
}

Result<ir::Program> vectorized(const ir::Program& program, std::uint32_t width) {
  if (width == 1) return program;
  const std::string what = fmt::format("use vectors of {}", width);
  if (!ir::is_lane_count(width)) return refuse(what, "a vector has 2, 4, 8 or 16 lanes");
  if (!check_independent(program, what)) return vectorized_in_group(program, width, what);
  Items items(with_unique_names(program), 0, width);
  const auto options = lane_options(items, width, program);
  const InRows rows = with_rows(items.body(), options);
  VYRE_TRY(const Widened fast, with_lanes(items, rows.body, options, what));
  return finished(items.with_body(items.in_full(fast.body, rows.tests)), what);
}

}  // namespace vyre::schedule
