#include "emit/lane_runs.h"

#include <algorithm>
#include <span>

namespace vyre::emit {
namespace {

using ir::Expr;
using Lanes = std::span<const Expr>;

// The variable whose lane it is, or null.
const Expr* variable_of(const Expr& lane) {
  const auto* node = ir::as<ir::Lane>(lane);
  return node != nullptr && ir::is<ir::Var>(node->vector) ? &node->vector : nullptr;
}

bool is_of_one_variable(Lanes lanes) {
  const Expr* variable = variable_of(lanes.front());
  return variable != nullptr && std::ranges::all_of(lanes, [&](const Expr& lane) {
           const Expr* own = variable_of(lane);
           return own != nullptr && *own == *variable;
         });
}

// All lanes of their vector, in order, are the vector.
LaneRun run_of(Lanes lanes) {
  if (lanes.size() == 1) return {lanes.front(), {}};
  LaneRun made{*variable_of(lanes.front()), {}};
  bool is_whole = lanes.size() == made.from.type().lanes;
  for (const Expr& lane : lanes) {
    const std::uint8_t number = ir::as<ir::Lane>(lane)->lane;
    is_whole = is_whole && number == made.lanes.size();
    made.lanes.push_back(number);
  }
  if (is_whole) made.lanes.clear();
  return made;
}

}  // namespace

std::vector<LaneRun> lane_runs(const ir::Vector& vector) {
  const Lanes all = vector.lanes;
  if (is_of_one_variable(all)) return {run_of(all)};
  const Lanes low = all.first(all.size() / 2);
  const Lanes high = all.last(all.size() / 2);
  if (is_of_one_variable(low) && is_of_one_variable(high)) return {run_of(low), run_of(high)};
  std::vector<LaneRun> made;
  for (const Expr& lane : all) made.push_back({lane, {}});
  return made;
}

}  // namespace vyre::emit
