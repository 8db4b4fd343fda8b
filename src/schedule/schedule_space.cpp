#include "schedule/schedule_space.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "schedule/parameters.h"
#include "schedule/space_maker.h"
#include "schedule/steps.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {

Result<space::Definition> schedule_space(const ir::Program& program, const Limits& limits,
                                         const ir::Uniforms& uniforms) {
  const auto shape = launch_shape(program, uniforms);
  if (!shape) return Unexpected(shape.error());
  SpaceMaker space(program, limits, *shape, uniforms);
  for (const Step* step : declared_steps()) step->declare(space);
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
