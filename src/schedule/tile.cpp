#include "schedule/tile.h"

#include <fmt/format.h>

#include <array>

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "schedule/coarsen.h"
#include "schedule/group_loop.h"
#include "schedule/space_maker.h"
#include "schedule/tile_plan.h"
#include "schedule/vectorize.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {
namespace {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::For;
using ir::Id;
using ir::IdKind;

constexpr ir::Type u32 = {Scalar::u32};
constexpr std::uint64_t most_elements = 1U << 20U;

class Tiler {
 public:
  Tiler(ir::Program program, const Tiling& tiling, TilePlan plan)
      : program_(std::move(program)), tiling_(tiling), plan_(std::move(plan)), names_(program_) {}

  ir::Program run() {
    const ir::Program before = program_;
    program_.body.clear();
    round_grid();
    const auto loop_at = before.body.begin() + static_cast<std::ptrdiff_t>(plan_.at);
    for (auto stmt = before.body.begin(); stmt != loop_at; ++stmt) add(placed(*stmt));
    loop(std::get<For>(loop_at->node));
    Block after;
    for (auto stmt = loop_at + 1; stmt != before.body.end(); ++stmt) after.push_back(placed(*stmt));
    if (inside_) {
      add({ir::If{*inside_, std::move(after), {}}});
    } else {
      program_.body.insert(program_.body.end(), after.begin(), after.end());
    }
    return std::move(program_);
  }

 private:
  void add(ir::Stmt stmt) { program_.body.push_back(std::move(stmt)); }

  Expr let(Block& into, const std::string& like, const Expr& value) {
    const std::string name = names_.fresh(like);
    into.push_back({ir::Let{name, value}});
    return ir::Var{name, value.type()};
  }

  // Whole workgroups. Invocations beyond the grid stand where the last one stands.
  void round_grid() {
    for (std::uint8_t dim = 0; dim < 3; ++dim) {
      const std::uint32_t group = tiling_.workgroup[dim];
      const Expr own = Id{IdKind::invocation, dim};
      extent_[dim] = program_.grid[dim];
      place_[dim] = own;
      local_[dim] = group == 1 ? ir::literal(0U) : Expr(Id{IdKind::local, dim});
      const auto known = literal_bits(extent_[dim]);
      ragged_[dim] = group > 1 && !(known && *known % group == 0);
      if (!ragged_[dim]) continue;
      program_.grid[dim] = times(ceil_div(extent_[dim], group), ir::literal(group));
      place_[dim] = let(program_.body, fmt::format("place_{}", "xyz"[dim]),
                        minimum(own, minus(extent_[dim], ir::literal(1U))));
      const Expr in_group = minus(place_[dim], origin(dim));
      local_[dim] = let(program_.body, fmt::format("local_{}", "xyz"[dim]),
                        minimum(in_group, ir::literal(group - 1)));
      const Expr in_grid = compared(BinaryOp::lt, own, extent_[dim]);
      inside_ = inside_ ? both(*inside_, in_grid) : in_grid;
    }
    program_.workgroup = tiling_.workgroup;
  }

  [[nodiscard]] Expr origin(std::uint8_t dim) const {
    return times(Id{IdKind::group, dim}, ir::literal(tiling_.workgroup[dim]));
  }

  // The statement of the invocation that stands here, in the grid that was.
  [[nodiscard]] ir::Stmt placed(const ir::Stmt& stmt) const {
    return replaced(stmt, [&](const Expr& e) { return in_grid(e, place_); });
  }

  // What an id of the program as it was stands for where the invocation's is `place`.
  [[nodiscard]] std::optional<Expr> in_grid(const Expr& e, const std::array<Expr, 3>& place) const {
    const auto* id = ir::as<Id>(e);
    if (id != nullptr && id->kind == IdKind::invocation) return place[id->dim];
    if (id != nullptr && id->kind == IdKind::grid) return extent_[id->dim];
    return std::nullopt;
  }

  void loop(const For& before) {
    const Expr end = replaced(before.end, [&](const Expr& e) { return in_grid(e, place_); });
    const Expr count = literal_bits(end) ? end : let(program_.body, before.name + "_count", end);
    const Expr tiles = plus(quotient(count, tiling_.depth),
                            minimum(remainder(count, tiling_.depth), ir::literal(1U)));
    For outer{names_.fresh("tile"), ir::literal(0U), tiles, ir::literal(1U), {}};
    const Expr start = let(outer.body, before.name + "_start",
                           times(ir::Var{outer.name, u32}, ir::literal(tiling_.depth)));
    For inner{names_.fresh("in_tile"),
              ir::literal(0U),
              minimum(minus(count, start), ir::literal(tiling_.depth)),
              ir::literal(1U),
              {}};
    const Expr step = ir::Var{inner.name, u32};
    std::vector<Expr> from_tile;
    for (const TiledLoad& load : plan_.loads) {
      from_tile.push_back(fetch(load, before.name, start, count, step, outer.body));
    }
    outer.body.push_back({ir::Barrier{}});
    inner.body.push_back({ir::Let{before.name, plus(start, step)}});
    for (const ir::Stmt& stmt : before.body) {
      const ir::Stmt shared = replaced(stmt, [&](const Expr& e) -> std::optional<Expr> {
        for (std::size_t i = 0; i < plan_.loads.size(); ++i) {
          if (e == plan_.loads[i].load) return from_tile[i];
        }
        return std::nullopt;
      });
      inner.body.push_back(placed(shared));
    }
    outer.body.push_back({std::move(inner)});
    outer.body.push_back({ir::Barrier{}});
    add({std::move(outer)});
  }

  // One coordinate of a tile: how far it goes, where it starts, and where it must stay below.
  struct Axis {
    std::uint32_t extent;
    Expr start;
    std::optional<Expr> end;
    Expr here;  // of the invocation that reads
    std::optional<std::uint8_t> dim;
  };

  // The fastest first: what is neighbouring in memory is loaded by neighbouring invocations.
  [[nodiscard]] std::vector<Axis> axes_of(const TiledLoad& load, const Expr& start,
                                          const Expr& count, const Expr& step) const {
    const auto known = literal_bits(count);
    std::vector<Axis> axes;
    for (std::uint8_t dim = 0; dim < 3; ++dim) {
      if (!load.depends[dim]) continue;
      std::optional<Expr> end;
      if (ragged_[dim]) end = extent_[dim];
      axes.push_back({tiling_.workgroup[dim], origin(dim), end, local_[dim], dim});
    }
    std::optional<Expr> end = count;
    if (known && *known % tiling_.depth == 0) end = std::nullopt;
    const Axis in_loop{tiling_.depth, start, end, step, std::nullopt};
    axes.insert(load.along_loop ? axes.begin() : axes.end(), in_loop);
    return axes;
  }

  // Adds the loop in which the group loads a tile; the element of it that stands for the load.
  Expr fetch(const TiledLoad& load, const std::string& variable, const Expr& start,
             const Expr& count, const Expr& step, Block& into) {
    const auto& from = *ir::as<ir::Load>(load.load);
    const auto size = static_cast<std::uint32_t>(tile_elements(load, tiling_));
    const std::string name = names_.fresh(from.buffer + "_tile");
    program_.buffers.push_back(
        {name, from.element, ir::literal(size), Access::read_write, ir::Memory::shared});
    For all = group_loop(names_.fresh("element"), ir::literal(size), tiling_.workgroup);
    const Expr element = ir::Var{all.name, u32};
    std::optional<Expr> exists;
    std::array<Expr, 3> place = place_;
    Expr in_loop;
    Expr read = ir::literal(0U);
    std::uint32_t stride = 1;
    for (const Axis& axis : axes_of(load, start, count, step)) {
      const bool is_last = stride * axis.extent == size;
      const Expr turn = quotient(element, stride);
      const Expr at =
          let(all.body, "at", plus(axis.start, is_last ? turn : remainder(turn, axis.extent)));
      (axis.dim ? place[*axis.dim] : in_loop) = at;
      if (axis.end) {
        const Expr test = compared(BinaryOp::lt, at, *axis.end);
        exists = exists ? both(*exists, test) : test;
      }
      read = plus(read, times(axis.here, ir::literal(stride)));
      stride *= axis.extent;
    }
    const Expr index = replaced(load.index, [&](const Expr& e) -> std::optional<Expr> {
      if (const auto* var = ir::as<ir::Var>(e); var != nullptr && var->name == variable)
        return in_loop;
      return in_grid(e, place);
    });
    const ir::Stmt store = {ir::Store{name, element, ir::Load{from.buffer, from.element, index}}};
    all.body.push_back(exists ? ir::Stmt{ir::If{*exists, {store}, {}}} : store);
    into.push_back({std::move(all)});
    return ir::Load{name, from.element, read};
  }

  ir::Program program_;
  Tiling tiling_;
  TilePlan plan_;
  ir::Names names_;
  std::array<Expr, 3> extent_;
  std::array<Expr, 3> place_;  // invocation ids, kept within the grid
  std::array<Expr, 3> local_;  // the same in the group
  std::array<bool, 3> ragged_ = {};
  std::optional<Expr> inside_;
};

constexpr std::array tile_parameters = {
    Parameter{tile_name, "iterations of a loop per tile in shared memory; 0: no tiles", 0}};

// The dimensions in which invocations of a group can share loads.
Extent smallest_group(const SpaceMaker& space) {
  Extent group = {1, 1, 1};
  for (std::size_t dim = 0; dim < 3; ++dim) {
    if (space.has(workgroup_names[dim]) && space.grid()[dim] > 1) group[dim] = 2;
  }
  return group;
}

// A tile needs a load that invocations of a group share, and room for what it holds.
void constrain(SpaceMaker& space, const TilePlan& plan, const Extent& group) {
  std::string shared;
  std::string bytes;
  for (const TiledLoad& load : plan.loads) {
    const std::size_t size = storage_bytes(ir::as<ir::Load>(load.load)->element);
    bytes += fmt::format("{}{} * {}", bytes.empty() ? "" : " + ", size, tile_name);
    for (std::size_t dim = 0; dim < 3; ++dim) {
      if (group[dim] == 1) continue;
      const std::string_view extent = workgroup_names[dim];
      if (load.depends[dim]) bytes += fmt::format(" * {}", extent);
      if (!load.depends[dim])
        shared += fmt::format("{}{} > 1", shared.empty() ? "" : " or ", extent);
    }
  }
  space.constraint(fmt::format("{} == 0 or {}", tile_name, shared));
  space.constraint(
      fmt::format("{} == 0 or {} <= {}", tile_name, bytes, space.limits().shared_bytes));
}

// A tiled program has barriers: its items are those of a workgroup, side by side. Vectors would
// seldom be any, because places are kept within the grid.
void constrain_items(SpaceMaker& space) {
  if (space.has(vector_name)) {
    space.constraint(fmt::format("{} == 0 or {} == 1", tile_name, vector_name));
  }
  std::string all;
  for (std::size_t dim = 0; dim < 3; ++dim) {
    if (!space.has(items_names[dim])) continue;
    space.constraint(
        fmt::format("{} == 0 or {} % {} == 0", tile_name, workgroup_names[dim], items_names[dim]));
    all += fmt::format("{}{}", all.empty() ? "" : " * ", items_names[dim]);
  }
  if (all.empty()) return;
  space.constraint(
      fmt::format("{} == 0 or {} == 1 or {} == '{}'", tile_name, all, order_name, order_words[2]));
}

void declare_tile(SpaceMaker& space) {
  if (!space.independent()) return;
  const Extent group = smallest_group(space);
  const auto plan = plan_tiles(with_unique_names(space.program()), group, tile_name);
  if (!plan) return;
  space.parameter(tile_name, std::array{0U, 8U, 16U, 32U});
  constrain(space, *plan, group);
  constrain_items(space);
}

Result<ir::Program> take_tile(const ir::Program& program, const Schedule& schedule) {
  if (schedule[tile_name] == 0) return program;
  return tiled(program, {.workgroup = workgroup_of(schedule), .depth = schedule[tile_name]});
}

}  // namespace

constinit const Step tile_step = {tile_parameters, declare_tile, take_tile};

Result<ir::Program> tiled(const ir::Program& program, const Tiling& tiling) {
  const std::string what =
      fmt::format("tile by {} in groups of {}", tiling.depth, fmt::join(tiling.workgroup, " x "));
  if (auto fine = check_independent(program, what); !fine) return Unexpected(fine.error());
  const ir::Program unique = with_unique_names(program);
  auto plan = plan_tiles(unique, tiling.workgroup, what);
  if (!plan) return Unexpected(plan.error());
  for (const TiledLoad& load : plan->loads) {
    const std::uint64_t count = tile_elements(load, tiling);
    if (count == 0 || count > most_elements) {
      return refuse(what, fmt::format("a tile has from 1 to {} elements", most_elements));
    }
  }
  return finished(Tiler(unique, tiling, *std::move(plan)).run(), what);
}

}  // namespace vyre::schedule
