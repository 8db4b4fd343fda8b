#include "schedule/vectorize.h"

#include <fmt/format.h>

#include "schedule/items.h"
#include "schedule/step.h"
#include "schedule/widen.h"

namespace vyre::schedule {

Result<ir::Program> vectorized(const ir::Program& program, std::uint32_t width) {
  if (width == 1) return program;
  const std::string what = fmt::format("use vectors of {}", width);
  if (!ir::is_lane_count(width)) return refuse(what, "a vector has 2, 4, 8 or 16 lanes");
  if (auto fine = check_independent(program, what); !fine) return std::unexpected(fine.error());
  Items items(with_unique_names(program), 0, width);
  const Widened fast =
      widened(items.body(), {.dim = 0, .width = width, .vectors = true, .first = items.first()},
              items.names());
  if (!fast.has_wide_access) {
    return refuse(what, "no two neighbouring invocations access neighbouring elements");
  }
  return finished(items.with_body(items.in_full(fast.body)), what);
}

}  // namespace vyre::schedule
