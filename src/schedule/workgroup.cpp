#include "schedule/workgroup.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "schedule/listed_workgroups.h"
#include "schedule/space_maker.h"

namespace vyre::schedule {
namespace {

constexpr std::array workgroup_parameters = {
    Parameter{workgroup_names[0], "extent of the workgroup in x", default_workgroup[0]},
    Parameter{workgroup_names[1], "extent of the workgroup in y", default_workgroup[1]},
    Parameter{workgroup_names[2], "extent of the workgroup in z", default_workgroup[2]},
};

// Powers of two that are of use in this dimension, and what the program has.
std::vector<std::uint32_t> extents(const SpaceMaker& space, std::size_t dim) {
  const Limits& limits = space.limits();
  const std::uint32_t most =
      std::min(limits.max_extent[dim], std::min(limits.max_workgroup, space.covering(dim)));
  std::vector<std::uint32_t> values;
  for (std::uint32_t extent = 1; extent <= most; extent *= 2) values.push_back(extent);
  values.push_back(space.program().workgroup[dim]);
  std::ranges::sort(values);
  const auto twice = std::ranges::unique(values);
  values.erase(twice.begin(), twice.end());
  return values;
}

void declare_any(SpaceMaker& space) {
  std::string product;
  for (std::size_t dim = 0; dim < 3; ++dim) {
    const auto values = extents(space, dim);
    if (values.size() == 1 && dim > 0 && space.program().workgroup[dim] == 1) continue;
    space.parameter(workgroup_names[dim], values);
    product += fmt::format("{}{}", product.empty() ? "" : " * ", workgroup_names[dim]);
  }
  space.constraint(fmt::format("{} <= {}", product, space.limits().max_workgroup));
}

std::vector<std::uint32_t> extents_of(const std::vector<Shape>& shapes, std::size_t dim) {
  std::set<std::uint32_t> values;
  for (const Shape& shape : shapes) values.insert(shape.workgroup[dim]);
  return {values.begin(), values.end()};
}

// "(wg_x == 16 and wg_y == 8)"
std::string is_text(const Extent& workgroup, const SpaceMaker& space) {
  std::string text;
  for (std::size_t dim = 0; dim < 3; ++dim) {
    if (!space.has(workgroup_names[dim])) continue;
    text += fmt::format("{}{} == {}", text.empty() ? "" : " and ", workgroup_names[dim],
                        workgroup[dim]);
  }
  return fmt::format("({})", text);
}

void declare_listed(SpaceMaker& space) {
  const auto shapes = listed_shapes(space);
  if (shapes.size() == 1) return;
  std::size_t combinations = 1;
  for (std::size_t dim = 0; dim < 3; ++dim) {
    const auto values = extents_of(shapes, dim);
    if (values.size() == 1 && dim > 0) continue;
    space.parameter(workgroup_names[dim], values);
    combinations *= values.size();
  }
  if (combinations == shapes.size()) return;
  std::vector<std::string> each;
  for (const Shape& shape : shapes) each.push_back(is_text(shape.workgroup, space));
  space.constraint(fmt::format("{}", fmt::join(each, " or ")));
}

void declare_workgroup(SpaceMaker& space) {
  space.independent() ? declare_any(space) : declare_listed(space);
}

void read(const ir::Program& program, Schedule& schedule) {
  for (std::size_t dim = 0; dim < 3; ++dim) {
    schedule.set(workgroup_names[dim], program.workgroup[dim]);
  }
}

Result<ir::Program> take_workgroup(const ir::Program& program, const Schedule& schedule) {
  return with_workgroup(program, workgroup_of(schedule));
}

}  // namespace

constinit const Step workgroup_step = {workgroup_parameters, declare_workgroup, take_workgroup,
                                       read};

Extent workgroup_of(const Schedule& schedule) {
  return {schedule[workgroup_names[0]], schedule[workgroup_names[1]], schedule[workgroup_names[2]]};
}

Result<ir::Program> with_workgroup(const ir::Program& program, Extent workgroup) {
  const std::string what = fmt::format("set the workgroup to {}", fmt::join(workgroup, " x "));
  if (workgroup == program.workgroup) return program;
  const auto independent = check_independent(program, what);
  ir::Program made = program;
  const auto listed = std::ranges::find(made.other_workgroups, workgroup);
  if (!independent && listed == made.other_workgroups.end()) return Unexpected(independent.error());
  if (listed != made.other_workgroups.end()) *listed = made.workgroup;
  made.workgroup = workgroup;
  return finished(std::move(made), what);
}

}  // namespace vyre::schedule
