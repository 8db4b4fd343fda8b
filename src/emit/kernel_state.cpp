#include "emit/kernel_state.h"

#include <fmt/format.h>

#include "ir/grouping.h"
#include "ir/visit.h"
#include "vyre/ir/size.h"
#include "vyre/ir/text.h"

namespace vyre::emit {
namespace {

// The first uniform in a size that is not fixed, or null.
const ir::Var* open_uniform(const Unit& unit, const ir::Expr& size) {
  const ir::Var* found = nullptr;
  static_cast<void>(ir::any_expr(size, [&](const ir::Expr& e) {
    const auto* var = ir::as<ir::Var>(e);
    if (var != nullptr && !unit.fixed.contains(var->name)) found = var;
    return found != nullptr;
  }));
  return found;
}

Result<ir::Interval> size_interval(const KernelState& state, const ir::Expr& size) {
  if (open_uniform(state.unit, size) != nullptr) return state.ranges.of(size);
  const auto value = ir::evaluate_size(state.program(), size, state.unit.fixed);
  if (!value) return Unexpected(value.error());
  return ir::Interval{*value, *value};
}

void know_fixed_uniforms(KernelState& state) {
  for (const auto& [name, value] : state.unit.fixed) {
    const ir::Expr literal(value);
    if (is_integer(value.scalar)) state.ranges.know(name, state.ranges.of(literal));
  }
}

Result<void> know_grid(KernelState& state, std::uint8_t dim) {
  using enum ir::IdKind;
  constexpr ir::Interval any_size = {1, 0xffff'ffff};
  const std::int64_t per_group = state.program().workgroup[dim];
  auto& ranges = state.ranges;
  ranges.know({workgroup, dim},
              state.workgroup_is_fixed ? ir::Interval{per_group, per_group} : any_size);
  auto grid_size = size_interval(state, state.program().grid[dim]);
  if (!grid_size) return Unexpected(grid_size.error());
  const ir::Interval extent = ir::meet(any_size, *grid_size);  // an empty grid is not launched
  ranges.know({grid, dim}, extent);
  ranges.know({invocation, dim}, {0, extent.hi - 1});
  if (state.workgroup_is_fixed) {
    const ir::Interval count = {(extent.lo - 1) / per_group + 1, (extent.hi - 1) / per_group + 1};
    ranges.know({groups, dim}, count);
    ranges.know({group, dim}, {0, count.hi - 1});
    ranges.know({local, dim}, {0, per_group - 1});
  }
  return {};
}

Result<void> know_counts(KernelState& state) {
  for (const ir::Buffer& buffer : state.program().buffers) {
    const ir::Var* open = open_uniform(state.unit, buffer.count);
    if (buffer.memory != ir::Memory::global && open != nullptr) {
      return fail(ErrorKind::input,
                  fmt::format("the size {} of {} buffer '{}' depends on the uniform '{}': fix its "
                              "value when the program is compiled",
                              ir::print(buffer.count),
                              buffer.memory == ir::Memory::shared ? "shared" : "private",
                              buffer.name, open->name),
                  buffer.place);
    }
    const auto count = size_interval(state, buffer.count);
    if (!count) return Unexpected(count.error());
    state.counts.emplace(buffer.name, *count);
  }
  return ir::check_private(state.program(), state.unit.fixed);
}

}  // namespace

Result<KernelState> start_kernel(const Unit& unit, const Dialect& dialect, Helpers& helpers) {
  if (auto checked = ir::check_uniforms(unit.program, unit.fixed); !checked) {
    return Unexpected(checked.error());
  }
  KernelState state{.unit = unit,
                    .dialect = dialect,
                    .helpers = helpers,
                    .workgroup_is_fixed = ir::depends_on_workgroup(unit.program),
                    .names = Names(dialect.is_reserved)};
  state.names.map_all(author_names(unit.program));
  know_fixed_uniforms(state);
  for (std::uint8_t dim = 0; dim < 3; ++dim) {
    if (auto known = know_grid(state, dim); !known) return Unexpected(known.error());
  }
  if (auto known = know_counts(state); !known) return Unexpected(known.error());
  return state;
}

}  // namespace vyre::emit
