#include "vyre/space/enumerate.h"

#include "base/check.h"
#include "base/memory.h"
#include "space/part.h"
#include "space/pipeline.h"
#include "space/plan.h"
#include "space/sample.h"

namespace vyre::space {
namespace {

constexpr std::uint32_t max_sampled = 100'000;

Result<Enumerated> sampled(const Definition& definition) {
  auto drawn = sample(definition, {.count = max_sampled});
  if (!drawn) return std::unexpected(drawn.error());
  return Enumerated{.space = std::move(drawn->space),
                    .sampled_from = drawn->estimated_size,
                    .undefined = drawn->undefined.count,
                    .reason = drawn->undefined.reason};
}

Part part_of(const Definition& definition, const Group& group) {
  std::vector<std::uint32_t> columns;
  for (const Step& step : group.steps) columns.push_back(step.parameter);
  return {std::move(columns), definition.parameters};
}

Result<Enumerated> enumerate_all(const Definition& definition) {
  Plan plan = make_plan(definition);
  std::vector<Part> parts;
  std::uint64_t total = 1;
  bool exceeded = false;
  for (const Group& group : plan.groups) {
    Part part = part_of(definition, group);
    exceeded = !Pipeline(plan, group, definition.parameters.size(), part, max_enumerated).run() ||
               exceeded;
    // An empty group makes the space empty, however many rows the others have.
    if (part.size() == 0) plan.impossible = true;
    if (plan.impossible) break;
    if (exceeded) continue;
    total *= part.size();
    exceeded = total > max_enumerated;
    check(part.close(), "an enumeration makes no row twice");
    parts.push_back(std::move(part));
  }
  if (exceeded && !plan.impossible) return sampled(definition);
  Enumerated made{.space = plan.impossible ? *Space::of(definition.parameters, {})
                                           : product(definition.parameters, std::move(parts)),
                  .sampled_from = std::nullopt,
                  .undefined = plan.undefined.count,
                  .reason = plan.undefined.reason};
  return made;
}

}  // namespace

Result<Enumerated> enumerate(const Definition& definition) {
  return within_memory([&] { return enumerate_all(definition); });
}

}  // namespace vyre::space
