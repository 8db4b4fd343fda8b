#include "tune/family.h"

#include <fmt/format.h>

#include "run/sizes.h"
#include "schedule/fission.h"
#include "tune/program_members.h"
#include "vyre/ir/fingerprint.h"
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

// None where outputs need each other.
std::vector<schedule::Features> features_of_parts(const ir::Program& program,
                                                  const ir::Uniforms& uniforms) {
  std::vector<schedule::Features> made;
  const auto parts = schedule::parts_of(program);
  if (!parts) return made;
  for (const ir::Program& part : *parts) {
    if (const auto known = schedule::features(part, uniforms)) made.push_back(*known);
  }
  return made;
}

}  // namespace

schedule::Limits schedule_limits(const device::Limits& limits) {
  return {.max_workgroup = limits.max_workgroup,
          .max_extent = limits.max_workgroup_dims,
          .shared_bytes = limits.shared_bytes,
          .compute_units = limits.compute_units};
}

Result<store::Dispatch> dispatch_of(const ir::Program& program, const ir::Uniforms& uniforms) {
  const auto shape = ir::launch_shape(program, uniforms);
  if (!shape) return Unexpected(shape.error());
  store::Dispatch dispatch{
      .program = ir::fingerprint(program), .workgroup = shape->workgroup, .groups = shape->groups};
  for (const ir::Buffer& buffer : run::global_buffers(program)) {
    const auto bytes = run::bytes_of(program, buffer, uniforms);
    if (!bytes) return Unexpected(bytes.error());
    (buffer.access == Access::read ? dispatch.input_bytes : dispatch.output_bytes) += *bytes;
  }
  return dispatch;
}

Result<Family> family_of(Programs programs, const ir::Uniforms& uniforms) {
  auto baseline = programs.member(programs.baseline);
  if (!baseline) return Unexpected(baseline.error());
  if (auto known = ir::check_uniforms(*baseline, uniforms); !known) {
    return Unexpected(known.error());
  }
  const auto dispatch = dispatch_of(*baseline, uniforms);
  if (!dispatch) return Unexpected(dispatch.error());
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
  const auto definition = schedule::schedule_space(program, schedule_limits(limits), uniforms);
  if (!definition) return Unexpected(definition.error());
  auto enumerated = space::enumerate(*definition);
  if (!enumerated) return Unexpected(enumerated.error());
  const space::Space& space = enumerated->space;
  const auto baseline = find_baseline(program, space);
  if (!baseline) return Unexpected(baseline.error());
  const auto member = [program, space](space::Index index) {
    return schedule::apply(program, schedule::schedule_of(program, space, index));
  };
  auto family = family_of(
      {.name = program.name, .space = space, .baseline = *baseline, .member = member}, uniforms);
  if (!family) return family;
  if (const auto known = schedule::features(program, uniforms)) family->features = *known;
  family->parts = features_of_parts(program, uniforms);
  return family;
}

std::string text_of(const Family& family, std::span<const space::Value> values,
                    std::span<const space::Value> except) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!except.empty() && space::same(values[i], except[i])) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", family.space.parameters()[i].name,
                        space::to_string(values[i]));
  }
  return text;
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
