#include "vyre/tune/family.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "primitives/kfac_program.h"
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

using Changes = std::vector<std::pair<std::string_view, space::Value>>;

std::optional<std::size_t> parameter(const space::Space& space, std::string_view name) {
  const auto all = space.parameters();
  const auto at = std::ranges::find(all, name, &space::Parameter::name);
  if (at == all.end()) return std::nullopt;
  return static_cast<std::size_t>(at - all.begin());
}

// The original with these values; those of parameters that the space does not have are left out.
std::optional<space::Index> changed(const space::Space& space, space::Index original,
                                    const Changes& changes) {
  auto values = space.values(original);
  for (const auto& [name, value] : changes) {
    if (const auto at = parameter(space, name)) values[*at] = value;
  }
  return space.find(values);
}

// What docs/schedules.md found good, if the space has the first parameter of it: atomics gathered
// over long walks, wide vectors in small square groups, vectors with rows side by side, vectors
// alone, and for GPUs tiles.
std::vector<space::Index> promising_of(const space::Space& space, space::Index original) {
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
    const auto index = changed(space, original, changes);
    if (index && *index != original) found.push_back(*index);
  }
  return found;
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
                .promising = promising_of(enumerated->space, *original)};
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
