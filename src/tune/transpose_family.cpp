#include "tune/transpose_family.h"

#include <array>

#include "base/check.h"
#include "primitives/transpose.h"
#include "schedule/schedule_space.h"

namespace vyre::tune {
namespace {

constexpr std::array<std::uint32_t, 4> tile_sides = {4, 8, 16, 32};

bool fits(std::uint32_t side, const device::Limits& limits) {
  return side * side <= limits.max_workgroup && side <= limits.max_workgroup_dims[0] &&
         side <= limits.max_workgroup_dims[1] &&
         std::uint64_t{side} * (side + 1) * sizeof(float) <= limits.shared_bytes;
}

// The schedules with one parameter more, then the baseline with each tile.
Result<space::Space> with_tiles(const Family& straight, const device::Limits& limits) {
  std::vector<space::Parameter> parameters(straight.space.parameters().begin(),
                                           straight.space.parameters().end());
  std::vector<space::Digit> rows;
  const auto add = [&](space::Index member, std::size_t tile) {
    const auto digits = straight.space.digits(member);
    rows.insert(rows.end(), digits.begin(), digits.end());
    rows.push_back(static_cast<space::Digit>(tile));
  };
  for (space::Index i = 0; i < straight.space.size(); ++i) add(i, 0);
  space::Parameter through{"through", {std::int64_t{0}}};
  for (const std::uint32_t side : tile_sides) {
    if (!fits(side, limits)) continue;
    add(straight.baseline, through.values.size());
    through.values.emplace_back(std::int64_t{side});
  }
  parameters.push_back(std::move(through));
  return space::Space::of(std::move(parameters), rows);
}

}  // namespace

primitives::TransposeOptions transpose_member(primitives::TransposeOptions options,
                                              const space::Space& space, space::Index member) {
  const auto values = space.values(member);
  options.schedule.reset();
  options.tile = static_cast<std::uint32_t>(std::get<std::int64_t>(values.back()));
  if (options.tile != 0) return options;
  const auto program = transpose_program(options);
  check(program.has_value(), "a family's options make its program");
  const std::size_t count = values.size() - 1;
  const auto schedule = schedule::schedule_of(*program, space.parameters().first(count),
                                              std::span(values).first(count));
  check(schedule.has_value(), "a family's values are a schedule");
  options.schedule = *schedule;
  return options;
}

Result<Family> transpose_family(const primitives::TransposeOptions& options,
                                const device::Adapter& adapter) {
  primitives::TransposeOptions plain = options;
  plain.tile = 0;
  plain.schedule.reset();
  VYRE_TRY(const auto program, transpose_program(plain));
  VYRE_TRY(const auto straight, family_of(program, {}, adapter.limits));
  VYRE_TRY(const auto space, with_tiles(straight, adapter.limits));
  const auto member = [plain, space](space::Index index) {
    return transpose_program(transpose_member(plain, space, index));
  };
  VYRE_TRY(
      auto family,
      family_of(
          {.name = program.name, .space = space, .baseline = straight.baseline, .member = member},
          {}));
  family.features = straight.features;
  return family;
}

}  // namespace vyre::tune
