#include "schedule/halo.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "schedule/coarsen.h"
#include "schedule/group_loop.h"
#include "schedule/group_sums.h"
#include "schedule/halo_plan.h"
#include "schedule/inside.h"
#include "schedule/interchange.h"
#include "schedule/privatise.h"
#include "schedule/space_maker.h"
#include "schedule/tile.h"
#include "schedule/vectorize.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {
namespace {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Id;
using ir::IdKind;

constexpr ir::Type halo_index = {Scalar::u32};

std::uint64_t elements_of(const HaloTile& tile, const Extent& workgroup) {
  std::uint64_t count = 1;
  for (std::size_t dim = 0; dim < 3; ++dim) count *= tile.extent(dim, workgroup);
  return count;
}

class HaloMaker {
 public:
  HaloMaker(ir::Program program, std::vector<HaloTile> tiles)
      : program_(std::move(program)), tiles_(std::move(tiles)), names_(program_) {}

  ir::Program run() {
    const Extent& group = program_.workgroup;
    const std::optional<Expr> inside = is_inside();
    Block body = with_taps(program_.body);
    program_.body.clear();
    for (std::size_t i = 0; i < tiles_.size(); ++i) fetch(tiles_[i], held_[i]);
    add({ir::Barrier{}});
    if (inside) {
      add({ir::If{*inside, std::move(body), {}}});
    } else {
      program_.body.insert(program_.body.end(), body.begin(), body.end());
    }
    for (std::size_t dim = 0; dim < 3; ++dim) {
      if (!is_ragged(dim)) continue;
      program_.grid[dim] = times(ceil_div(program_.grid[dim], group[dim]), ir::literal(group[dim]));
    }
    return std::move(program_);
  }

 private:
  void add(ir::Stmt stmt) { program_.body.push_back(std::move(stmt)); }

  [[nodiscard]] bool is_ragged(std::size_t dim) const {
    const std::uint32_t group = program_.workgroup[dim];
    const auto known = literal_bits(program_.grid[dim]);
    return group > 1 && !(known && *known % group == 0);
  }

  [[nodiscard]] std::optional<Expr> is_inside() const {
    std::optional<Expr> made;
    for (std::uint8_t dim = 0; dim < 3; ++dim) {
      if (!is_ragged(dim)) continue;
      const Expr test = compared(BinaryOp::lt, Id{IdKind::invocation, dim}, program_.grid[dim]);
      made = made ? both(*made, test) : test;
    }
    return made;
  }

  [[nodiscard]] Expr local(std::uint8_t dim) const {
    return program_.workgroup[dim] == 1 ? ir::literal(0U) : Expr(Id{IdKind::local, dim});
  }

  // The body with loads from tiles, in the grid that was.
  Block with_taps(const Block& body) {
    for (const HaloTile& tile : tiles_) held_.push_back(names_.fresh(tile.buffer + "_tile"));
    return replaced(body, [&](const Expr& e) -> std::optional<Expr> {
      const auto* id = ir::as<Id>(e);
      if (id != nullptr && id->kind == IdKind::grid) return program_.grid[id->dim];
      if (!ir::is<ir::Load>(e)) return std::nullopt;
      for (std::size_t i = 0; i < tiles_.size(); ++i) {
        for (const Tap& tap : tiles_[i].taps) {
          if (tap.load == e) return ir::Load{held_[i], tiles_[i].element, place(tiles_[i], tap)};
        }
      }
      return std::nullopt;
    });
  }

  // Of a tap in its tile.
  [[nodiscard]] Expr place(const HaloTile& tile, const Tap& tap) const {
    Expr sum = ir::literal(0U);
    std::uint32_t stride = 1;
    for (std::uint8_t dim = 0; dim < 3; ++dim) {
      if (!tile.strides[dim]) continue;
      const Expr from_start = plus(plus(local(dim), tap.shifts[dim]), start(tile, dim, -1));
      sum = plus(sum, times(from_start, ir::literal(stride)));
      stride *= tile.extent(dim, program_.workgroup);
    }
    return sum;
  }
  static Expr start(const HaloTile& tile, std::size_t dim, std::int64_t sign) {
    return ir::literal(static_cast<std::uint32_t>(sign * tile.least[dim]));
  }

  // What is there of the tile; whoever reads more was out of bounds before.
  void fetch(const HaloTile& tile, const std::string& name) {
    const Extent& group = program_.workgroup;
    const auto size = static_cast<std::uint32_t>(elements_of(tile, group));
    program_.buffers.push_back(
        {name, tile.element, ir::literal(size), Access::read_write, ir::Memory::shared});
    ir::For loop = group_loop(names_.fresh("element"), ir::literal(size), group);
    const Expr element = ir::Var{loop.name, halo_index};
    Expr sum = ir::literal(0U);
    std::uint32_t stride = 1;
    for (std::uint8_t dim = 0; dim < 3; ++dim) {
      if (!tile.strides[dim]) continue;
      const std::uint32_t extent = tile.extent(dim, group);
      const Expr turn = quotient(element, stride);
      const Expr in_tile = stride * extent == size ? turn : remainder(turn, extent);
      const Expr origin = times(Id{IdKind::group, dim}, ir::literal(group[dim]));
      sum = plus(sum, times(plus(plus(origin, in_tile), start(tile, dim, 1)), *tile.strides[dim]));
      stride *= extent;
    }
    const Expr index = ir::Var{names_.fresh("index"), halo_index};
    loop.body.push_back({ir::Let{ir::as<ir::Var>(index)->name, sum}});
    const ir::Stmt store = {ir::Store{name, element, ir::Load{tile.buffer, tile.element, index}}};
    loop.body.push_back({ir::If{compared(BinaryOp::lt, index, tile.count), {store}, {}}});
    add({std::move(loop)});
  }

  ir::Program program_;
  std::vector<HaloTile> tiles_;
  std::vector<std::string> held_;  // their names
  ir::Names names_;
};

constexpr std::array halo_parameters = {
    Parameter{halo_name, "1: neighbouring places are loaded into a tile with a border", 0}};

// "4 * (wg_x + 2) * (wg_y + 2)"
std::string bytes_text(const SpaceMaker& space, const HaloTile& tile) {
  std::string text = std::to_string(storage_bytes(tile.element));
  for (std::size_t dim = 0; dim < 3; ++dim) {
    if (!tile.strides[dim]) continue;
    const std::string extent =
        space.has(workgroup_names[dim]) ? std::string(workgroup_names[dim]) : "1";
    text += fmt::format(" * ({} + {})", extent, tile.most[dim] - tile.least[dim]);
  }
  return text;
}

// A program with halos has barriers: items are those of a workgroup, side by side. Vectors are for
// CPUs, whose shared memory is ordinary memory, and a small group would load mostly border.
void constrain_halo(SpaceMaker& space, const std::vector<HaloTile>& tiles) {
  const auto only = [&](const std::string& holds) {
    space.constraint(fmt::format("{} == 0 or {}", halo_name, holds));
  };
  const auto listed = [](const std::string& list, std::string_view sign, std::string_view more) {
    return list.empty() ? std::string(more) : fmt::format("{} {} {}", list, sign, more);
  };
  std::string bytes;
  std::string items;
  std::string group;
  for (const HaloTile& tile : tiles) bytes = listed(bytes, "+", bytes_text(space, tile));
  for (std::size_t dim = 0; dim < 3; ++dim) {
    if (space.has(workgroup_names[dim])) group = listed(group, "*", workgroup_names[dim]);
    if (!space.has(items_names[dim])) continue;
    items = listed(items, "*", items_names[dim]);
    only(fmt::format("{} % {} == 0", workgroup_names[dim], items_names[dim]));
  }
  only(fmt::format("{} <= {}", bytes, space.limits().shared_bytes));
  only(fmt::format("{} >= 32", group));
  if (!items.empty()) only(fmt::format("{} == 1 or {} == '{}'", items, order_name, order_words[2]));
  if (space.has(vector_name)) only(fmt::format("{} == 1", vector_name));
  if (space.has(interchange_name)) only(fmt::format("{} == 1", interchange_name));
  if (space.has(tree_name)) only(fmt::format("{} == 0", tree_name));
  if (space.has(tile_name)) only(fmt::format("{} == 0", tile_name));
  if (space.has(inside_name)) only(fmt::format("{} == 0", inside_name));
  if (space.has(private_name)) only(fmt::format("{} == '{}'", private_name, copies_words[0]));
}

void declare_halo(SpaceMaker& space) {
  if (!space.independent()) return;
  const auto tiles = plan_halo(with_unique_names(space.program()), halo_name);
  if (!tiles) return;
  space.parameter(halo_name, std::array{0U, 1U});
  constrain_halo(space, *tiles);
}

Result<ir::Program> take_halo(const ir::Program& program, const Schedule& schedule) {
  return schedule[halo_name] == 0 ? program : with_halo(program);
}

}  // namespace

constinit const Step halo_step = {halo_parameters, declare_halo, take_halo};

Result<ir::Program> with_halo(const ir::Program& program) {
  constexpr std::string_view what = "load neighbours into a tile";
  constexpr std::uint64_t most_in_tile = 1U << 20U;
  if (auto fine = check_independent(program, what); !fine) return Unexpected(fine.error());
  const ir::Program unique = with_unique_names(program);
  VYRE_TRY(auto tiles, plan_halo(unique, what));
  for (const HaloTile& tile : tiles) {
    if (elements_of(tile, program.workgroup) <= most_in_tile) continue;
    return refuse(what, fmt::format("a tile has at most {} elements", most_in_tile));
  }
  return finished(HaloMaker(unique, std::move(tiles)).run(), what);
}

}  // namespace vyre::schedule
