#include "schedule/vectorize.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "schedule/common_range.h"
#include "schedule/items.h"
#include "schedule/space_maker.h"
#include "schedule/widen.h"

namespace vyre::schedule {
namespace {

constexpr std::array vector_parameters = {
    Parameter{vector_name, "neighbouring items in x as lanes"}};

constexpr std::array widths = {2U, 4U, 8U, 16U};

bool fits(const SpaceMaker& space, std::uint32_t width) {
  return space.independent() && width <= space.grid()[0] &&
         space.private_elements() * width <= ir::max_private_elements &&
         vectorized(space.program(), width).has_value();
}

void declare_vector(SpaceMaker& space) {
  std::vector<std::uint32_t> values = {1};
  for (const std::uint32_t width : widths) {
    if (fits(space, width)) values.push_back(width);
  }
  if (values.size() > 1) space.parameter(vector_name, values);
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
  if (auto fine = check_independent(program, what); !fine) return Unexpected(fine.error());
  Items items(with_unique_names(program), 0, width);
  const ir::Block body = with_common_ranges(items, 0, width);
  const Widened fast = widened(body,
                               {.dim = 0,
                                .width = width,
                                .vectors = true,
                                .first = items.first(),
                                .private_buffers = items.private_buffers()},
                               items.names());
  items.spread(fast.spread);
  if (!fast.has_wide_access) {
    return refuse(what, "no two neighbouring invocations access neighbouring elements");
  }
  return finished(items.with_body(items.in_full(fast.body)), what);
}

}  // namespace vyre::schedule
