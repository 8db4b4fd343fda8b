#include "vyre/space/enumerate.h"

#include <algorithm>

#include "base/check.h"
#include "base/memory.h"
#include "space/part.h"
#include "space/pipeline.h"
#include "space/plan.h"
#include "space/sample.h"

namespace vyre::space {
namespace {

constexpr std::uint32_t max_sampled = 100'000;
constexpr std::uint64_t max_bytes = std::uint64_t{1} << 30;  // of a group's rows

Result<Enumerated> sampled(const Definition& definition, std::uint64_t most_work) {
  auto drawn = sample(definition, {.count = max_sampled, .most_work = most_work});
  if (!drawn) return Unexpected(drawn.error());
  return Enumerated{.space = std::move(drawn->space),
                    .sampled_from = drawn->estimated_size,
                    .undefined = drawn->tally.undefined,
                    .reason = drawn->tally.reason};
}

Part part_of(const Definition& definition, const Group& group) {
  std::vector<std::uint32_t> columns;
  for (const Step& step : group.steps) columns.push_back(step.parameter);
  return {std::move(columns), definition.parameters};
}

// Until its first check nothing is left out: whether all these combinations can be made is known
// before.
bool is_out_of_reach(const Plan& plan, const Group& group) {
  double lanes = 1;
  for (const Step& step : group.steps) {
    lanes *= static_cast<double>(plan.domains[step.parameter].size());
    if (!step.checks.empty()) break;
  }
  return lanes > static_cast<double>(plan.tally.work.left());
}

bool enumerate_group(const Definition& definition, Plan& plan, const Group& group, Part& into) {
  if (is_out_of_reach(plan, group)) return false;
  const std::uint64_t most = std::min(max_enumerated, max_bytes / into.row_bytes());
  return Pipeline(plan, group, definition.parameters.size(), into, most).run();
}

Result<Enumerated> enumerate_all(const Definition& definition, std::uint64_t most_work) {
  auto planned = make_plan(definition, most_work);
  if (!planned) return Unexpected(planned.error());
  Plan& plan = *planned;
  std::vector<Part> parts;
  std::uint64_t total = 1;
  bool exceeded = false;
  for (const Group& group : plan.groups) {
    Part part = part_of(definition, group);
    const bool complete = enumerate_group(definition, plan, group, part);
    exceeded = exceeded || !complete;
    // An empty group makes the space empty, however many rows the others have.
    if (complete && part.size() == 0) plan.impossible = true;
    if (plan.impossible) break;
    if (exceeded) continue;
    total *= part.size();
    exceeded = total > max_enumerated;
    check(part.close(), "an enumeration makes no row twice");
    parts.push_back(std::move(part));
  }
  if (exceeded && !plan.impossible) return sampled(definition, most_work);
  Enumerated made{.space = plan.impossible ? *Space::of(definition.parameters, {})
                                           : product(definition.parameters, std::move(parts)),
                  .sampled_from = std::nullopt,
                  .undefined = plan.tally.undefined,
                  .reason = plan.tally.reason};
  return made;
}

}  // namespace

Result<Enumerated> enumerate(const Definition& definition, std::uint64_t most_work) {
  return within_memory([&] { return enumerate_all(definition, most_work); });
}

}  // namespace vyre::space
