#include "vyre/space/enumerate.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "space/part.h"
#include "space/pipeline.h"
#include "space/plan.h"

namespace vyre::space {
namespace {

std::unexpected<Error> too_many(std::uint64_t most) {
  return fail(
      ErrorKind::input,
      fmt::format("the space has over {} valid configurations: too many to enumerate, but it "
                  "can be sampled (space::sample)",
                  most));
}

Part part_of(const Definition& definition, const Group& group) {
  std::vector<std::uint32_t> columns;
  for (const Step& step : group.steps) columns.push_back(step.parameter);
  return {std::move(columns), definition.parameters};
}

}  // namespace

Result<Enumerated> enumerate(const Definition& definition, const EnumerateOptions& options) {
  const std::uint64_t most =
      std::min<std::uint64_t>(options.most, std::numeric_limits<Index>::max() - 1);
  Plan plan = make_plan(definition);
  std::vector<Part> parts;
  std::uint64_t total = 1;
  bool exceeded = false;
  for (const Group& group : plan.groups) {
    Part part = part_of(definition, group);
    exceeded = !Pipeline(plan, group, definition.parameters.size(), part, most).run() || exceeded;
    // An empty group makes the space empty, however many rows the others have.
    if (part.size() == 0) plan.impossible = true;
    if (plan.impossible) break;
    if (exceeded) continue;
    total *= part.size();
    exceeded = total > most;
    check(part.close(), "an enumeration makes no row twice");
    parts.push_back(std::move(part));
  }
  if (exceeded && !plan.impossible) return too_many(most);
  Enumerated made{.space = plan.impossible ? *Space::of(definition.parameters, {})
                                           : product(definition.parameters, std::move(parts)),
                  .undefined = plan.undefined.count,
                  .reason = plan.undefined.reason};
  return made;
}

}  // namespace vyre::space
