#include "vyre/tune/family.h"

#include <fmt/format.h>

#include <memory>

#include "schedule/examples.h"
#include "schedule/promising.h"
#include "vyre/schedule/schedule_space.h"
#include "vyre/space/enumerate.h"

namespace vyre::tune {
namespace {

// Where the program as it is stands among its schedules.
Result<space::Index> find_original(const ir::Program& program, const space::Space& space) {
  if (const auto index = schedule::index_of(space, schedule::default_schedule(program))) {
    return *index;
  }
  return fail(ErrorKind::limit, fmt::format("program {} as it is cannot run here: its workgroup is "
                                            "over the device's limits",
                                            program.name));
}

std::vector<space::Index> promising_of(const ir::Program& program, const ir::Uniforms& uniforms,
                                       const space::Space& space, space::Index original) {
  const auto features = schedule::features(program, uniforms);
  if (!features) return {};
  return schedule::promising(space, original, *features, schedule::learned_examples());
}

struct KfacMember {
  primitives::KfacLayout layout;
  std::uint32_t lanes;
};

Result<ir::Program> kfac_member(primitives::KfacOptions options, const KfacMember& member) {
  options.schedule = {member.layout, member.lanes};
  return primitives::kfac_block_inverse_program(options);
}

}  // namespace

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
  const auto original = find_original(program, enumerated->space);
  if (!original) return std::unexpected(original.error());
  return Family{.name = program.name,
                .space = enumerated->space,
                .original = *original,
                .member =
                    [program, space = enumerated->space](space::Index index) {
                      return schedule::apply(program, schedule::schedule_of(program, space, index));
                    },
                .promising = promising_of(program, uniforms, enumerated->space, *original)};
}

Result<Family> kfac_family(const primitives::KfacOptions& options) {
  using primitives::KfacLayout;
  space::Parameter layout{"layout", {}};
  space::Parameter lanes{"lanes", {}};
  auto members = std::make_shared<std::vector<KfacMember>>();
  std::vector<space::Digit> rows;
  for (const std::int64_t count : {2, 4, 8, 16}) lanes.values.emplace_back(count);
  for (const KfacLayout kind : {KfacLayout::item, KfacLayout::group, KfacLayout::interleaved,
                                KfacLayout::registers, KfacLayout::panels}) {
    layout.values.emplace_back(std::string(name_of(kind)));
    const bool has_lanes = kind == KfacLayout::interleaved || kind == KfacLayout::registers;
    for (std::uint32_t i = 0; i < (has_lanes ? 4U : 1U); ++i) {
      const KfacMember member{kind, has_lanes ? 2U << i : 8U};
      if (i == 0 && !kfac_member(options, member)) break;  // not for blocks of this size
      members->push_back(member);
      rows.push_back(static_cast<space::Digit>(layout.values.size() - 1));
      rows.push_back(static_cast<space::Digit>(has_lanes ? i : 2));
    }
  }
  // The original is the first: a block to each invocation.
  if (members->empty() || (*members)[0].layout != KfacLayout::item) {
    return std::unexpected(kfac_member(options, {KfacLayout::item, 8}).error());
  }
  auto space = space::Space::of({layout, lanes}, rows);
  if (!space) return std::unexpected(space.error());
  return Family{
      "kfac_block_inverse",
      *std::move(space),
      0,
      [options, members](space::Index index) { return kfac_member(options, (*members)[index]); },
      {.absolute = 1e-5, .relative = 1e-4},
      {"scratch", "condition"}};
}

}  // namespace vyre::tune
