#include "tune/family.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "run/sizes.h"
#include "tune/program_members.h"
#include "vyre/ir/fingerprint.h"
#include "vyre/schedule/schedule_space.h"
#include "vyre/space/enumerate.h"

namespace vyre::tune {
namespace {

// Where the program as it is stands among its schedules.
Result<space::Index> find_baseline(const ir::Program& program, const space::Space& space) {
  if (const auto index = schedule::index_of(space, schedule::default_schedule(program))) {
    return *index;
  }
  return fail(ErrorKind::limit, fmt::format("program {} as it is cannot run here: its workgroup is "
                                            "over the device's limits",
                                            program.name));
}

using Changes = std::vector<std::pair<std::string_view, space::Value>>;

std::optional<std::size_t> parameter(const space::Space& space, std::string_view name) {
  const auto all = space.parameters();
  const auto at = std::ranges::find(all, name, &space::Parameter::name);
  if (at == all.end()) return std::nullopt;
  return static_cast<std::size_t>(at - all.begin());
}

// The baseline with these values; those of parameters that the space does not have are left out.
std::optional<space::Index> changed(const space::Space& space, space::Index baseline,
                                    const Changes& changes) {
  auto values = space.values(baseline);
  for (const auto& [name, value] : changes) {
    if (const auto at = parameter(space, name)) values[*at] = value;
  }
  return space.find(values);
}

// What docs/schedules.md found good, if the space has the first parameter of it: atomics gathered
// over long walks, wide vectors in small square groups, vectors with rows side by side, vectors
// alone, and for GPUs tiles.
std::vector<space::Index> promising_of(const space::Space& space, space::Index baseline) {
  const auto number = [](std::int64_t value) { return space::Value(value); };
  const std::vector<Changes> good = {
      {{"gather", number(1)},
       {"vector", number(16)},
       {"items_x", number(512)},
       {"wg_x", number(1)}},
      {{"vector", number(16)}, {"wg_x", number(8)}, {"wg_y", number(8)}},
      {{"items_y", number(6)},
       {"vector", number(16)},
       {"wg_x", number(1)},
       {"wg_y", number(8)},
       {"order", space::Value("jammed")}},
      {{"vector", number(8)}},
      {{"tile", number(16)}, {"wg_x", number(16)}, {"wg_y", number(16)}},
  };
  std::vector<space::Index> found;
  for (const Changes& changes : good) {
    if (!parameter(space, changes[0].first)) continue;
    const auto index = changed(space, baseline, changes);
    if (index && *index != baseline) found.push_back(*index);
  }
  return found;
}

// Without the parameters whose values are those in `except`.
std::string text_of(const Family& family, std::span<const space::Value> values,
                    std::span<const space::Value> except = {}) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!except.empty() && space::same(values[i], except[i])) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", family.space.parameters()[i].name,
                        space::to_string(values[i]));
  }
  return text;
}

}  // namespace

Result<store::Dispatch> dispatch_of(const ir::Program& program, const ir::Uniforms& uniforms) {
  const auto shape = ir::launch_shape(program, uniforms);
  if (!shape) return std::unexpected(shape.error());
  store::Dispatch dispatch{
      .program = ir::fingerprint(program), .workgroup = shape->workgroup, .groups = shape->groups};
  for (const ir::Buffer& buffer : run::global_buffers(program)) {
    const auto bytes = run::bytes_of(program, buffer, uniforms);
    if (!bytes) return std::unexpected(bytes.error());
    (buffer.access == Access::read ? dispatch.input_bytes : dispatch.output_bytes) += *bytes;
  }
  return dispatch;
}

Result<Family> family_of(Programs programs, const ir::Uniforms& uniforms) {
  auto baseline = programs.member(programs.baseline);
  if (!baseline) return std::unexpected(baseline.error());
  if (auto known = ir::check_uniforms(*baseline, uniforms); !known) {
    return std::unexpected(known.error());
  }
  const auto dispatch = dispatch_of(*baseline, uniforms);
  if (!dispatch) return std::unexpected(dispatch.error());
  Family family{.name = programs.name,
                .space = programs.space,
                .baseline = programs.baseline,
                .dispatch = *dispatch,
                .members = nullptr};
  family.members = std::make_shared<ProgramMembers>(std::move(programs), *std::move(baseline));
  return family;
}

Result<Family> family_of(const ir::Program& program, const ir::Uniforms& uniforms,
                         const device::Limits& limits) {
  const auto definition = schedule::schedule_space(program,
                                                   {.max_workgroup = limits.max_workgroup,
                                                    .max_extent = limits.max_workgroup_dims,
                                                    .shared_bytes = limits.shared_bytes},
                                                   uniforms);
  if (!definition) return std::unexpected(definition.error());
  auto enumerated = space::enumerate(*definition);
  if (!enumerated) return std::unexpected(enumerated.error());
  const space::Space& space = enumerated->space;
  const auto baseline = find_baseline(program, space);
  if (!baseline) return std::unexpected(baseline.error());
  const auto member = [program, space](space::Index index) {
    return schedule::apply(program, schedule::schedule_of(program, space, index));
  };
  auto family = family_of(
      {.name = program.name, .space = space, .baseline = *baseline, .member = member}, uniforms);
  if (family) family->promising = promising_of(space, *baseline);
  return family;
}

std::string configuration_text(const Family& family, space::Index member) {
  return text_of(family, family.space.values(member));
}

std::string changed_text(const Family& family, space::Index member) {
  const auto before = family.space.values(family.baseline);
  const std::string text = text_of(family, family.space.values(member), before);
  return text.empty() ? "as it is" : text;
}

}  // namespace vyre::tune
