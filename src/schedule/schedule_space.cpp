#include "schedule/schedule_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "ir/facts.h"
#include "schedule/coarsen.h"
#include "schedule/group_turns.h"
#include "schedule/interchange.h"
#include "schedule/listed_workgroups.h"
#include "schedule/parameters.h"
#include "schedule/privatise.h"
#include "schedule/space_maker.h"
#include "schedule/steps.h"
#include "schedule/vectorize.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {
namespace {

// A launch of fewer operations may be over before the other units have begun.
constexpr std::uint64_t few_operations = 1U << 22U;

std::uint64_t operations_of(const ir::Program& program, const ir::Uniforms& uniforms) {
  const auto facts = ir::facts(program, uniforms);
  if (!facts) return 0;
  return facts->integer_ops + facts->float_ops + facts->special_ops + facts->loads + facts->stores;
}

// "((1000 + wg_x * items_x - 1) // (wg_x * items_x))": workgroups in one dimension.
std::string groups_text(const SpaceMaker& space, std::size_t dim) {
  std::vector<std::string_view> factors = {workgroup_names[dim], items_names[dim]};
  if (dim == 0) factors.insert(factors.end(), {vector_name, interchange_name});
  std::erase_if(factors, [&](std::string_view name) { return !space.has(name); });
  const std::string covered = fmt::format("{}", fmt::join(factors, " * "));
  if (covered.empty()) return std::to_string(space.grid()[dim]);
  return fmt::format("(({} + {} - 1) // ({}))", space.grid()[dim], covered, covered);
}

// Of a program with barriers: "wg_x != 64 or (15625 + group_turns - 1) // group_turns >= 4" for
// each of its workgroups that would leave units idle.
void keep_units_busy_in_turns(SpaceMaker& space, std::uint64_t units) {
  if (!space.has(workgroup_names[0]) && !space.has(group_turns_name)) return;
  const std::size_t turned = turned_dimension(space.program());
  for (const Shape& shape : listed_shapes(space)) {
    std::string constraint;
    std::uint64_t others = 1;
    for (std::size_t dim = 0; dim < 3; ++dim) {
      if (dim != turned) others *= shape.groups[dim];
      if (!space.has(workgroup_names[dim])) continue;
      constraint += fmt::format("{} != {} or ", workgroup_names[dim], shape.workgroup[dim]);
    }
    const std::uint32_t groups = shape.groups[turned];
    const std::string left =
        space.has(group_turns_name)
            ? fmt::format("({} + {} - 1) // {}", groups, group_turns_name, group_turns_name)
            : std::to_string(groups);
    space.constraint(fmt::format("{}{} * ({}) >= {}", constraint, others, left, units));
  }
}

// Private copies have workgroups of another kind, as many as are asked for.
void keep_units_busy(SpaceMaker& space, const Shape& shape, std::uint64_t operations) {
  const std::uint64_t units = space.limits().compute_units;
  const auto [x, y, z] = shape.groups;
  if (units <= 1 || std::uint64_t{x} * y * z < units || operations < few_operations) return;
  if (!space.independent()) return keep_units_busy_in_turns(space, units);
  if (space.has(privatise_step.parameters.front().name)) return;
  space.constraint(fmt::format("{} * {} * {} >= {}", groups_text(space, 0), groups_text(space, 1),
                               groups_text(space, 2), units));
}

}  // namespace

Result<space::Definition> schedule_space(const ir::Program& program, const Limits& limits,
                                         const ir::Uniforms& uniforms) {
  const auto shape = launch_shape(program, uniforms);
  if (!shape) return Unexpected(shape.error());
  SpaceMaker space(program, limits, *shape, uniforms);
  if (ir::has_stages(program)) return space.make();
  for (const Step* step : declared_steps()) step->declare(space);
  keep_units_busy(space, *shape, operations_of(program, uniforms));
  return space.make();
}

Result<Schedule> schedule_of(const ir::Program& program,
                             std::span<const space::Parameter> parameters,
                             std::span<const space::Value> values) {
  Schedule schedule = default_schedule(program);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    auto set = schedule.set(parameters[i].name, space::to_string(values[i]));
    if (!set) return Unexpected(set.error());
  }
  return schedule;
}

Schedule schedule_of(const ir::Program& program, const space::Space& space, space::Index index) {
  const auto made = schedule_of(program, space.parameters(), space.values(index));
  check(made.has_value(), "the space is one of schedules");
  return *made;
}

std::optional<space::Index> index_of(const space::Space& space, const Schedule& schedule) {
  std::vector<space::Value> values;
  for (const space::Parameter& parameter : space.parameters()) {
    values.push_back(value_of(parameter.name, schedule[parameter.name]));
  }
  return space.find(values);
}

bool has_workgroup(std::span<const space::Parameter> parameters) {
  return std::ranges::find(parameters, workgroup_names[0], &space::Parameter::name) !=
         parameters.end();
}

void put_workgroup(const Extent& workgroup, std::span<const space::Parameter> parameters,
                   std::span<space::Value> values) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto* found = std::ranges::find(workgroup_names, parameters[i].name);
    if (found == workgroup_names.end()) continue;
    values[i] = std::int64_t{workgroup[static_cast<std::size_t>(found - workgroup_names.begin())]};
  }
}

std::string workgroup_text(const Extent& workgroup) {
  std::string text;
  for (std::size_t dim = 0; dim < workgroup.size(); ++dim) {
    text += fmt::format("{}{}={}", dim == 0 ? "" : " ", workgroup_names[dim], workgroup[dim]);
  }
  return text;
}

}  // namespace vyre::schedule
