#include "schedule/group_walk.h"

#include <fmt/format.h>

#include <optional>

#include "ir/fold.h"
#include "ir/rewrite.h"
#include "schedule/loops.h"

namespace vyre::schedule {
namespace {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Id;
using ir::IdKind;

constexpr std::array axes = {"x", "y", "z"};

// How often one goes into the other, and what is left; u32, and not by zero.
struct Division {
  Expr whole;
  Expr rest;
};
Division divided(const Expr& value, const Expr& by) {
  if (const auto known = literal_bits(by))
    return {quotient(value, *known), remainder(value, *known)};
  return {ir::Binary{BinaryOp::div, value, by}, ir::Binary{BinaryOp::rem, value, by}};
}

class Walker {
 public:
  Walker(const ir::Program& program, const Extent& workgroup, std::uint32_t groups,
         ir::Names& names)
      : program_(program), workgroup_(workgroup), groups_(groups), names_(names) {
    for (std::size_t dim = 0; dim < 3; ++dim) {
      blocks_[dim] = ceil_div(program.grid[dim], workgroup[dim]);
    }
  }

  GroupWalk run() {
    const Expr all = times(times(blocks_[0], blocks_[1]), blocks_[2]);
    GroupWalk walk{.grid = {times(minimum(all, ir::literal(groups_)), ir::literal(workgroup_[0])),
                            ir::literal(workgroup_[1]), ir::literal(workgroup_[2])},
                   .body = {}};
    name_extents(walk.body);
    walk.body.push_back({loop(named(all, "blocks", names_, walk.body), walk.body)});
    return walk;
  }

 private:
  [[nodiscard]] bool is_walked(std::size_t dim) const { return !is_literal(blocks_[dim], 1); }
  [[nodiscard]] bool is_ragged(std::size_t dim) const {
    const auto extent = literal_bits(program_.grid[dim]);
    return workgroup_[dim] > 1 && !(extent && *extent % workgroup_[dim] == 0);
  }

  // Those that a block's number is divided by: all that are walked but the last.
  void name_extents(Block& into) {
    bool is_last = true;
    for (std::size_t dim = 3; dim-- > 0;) {
      if (!is_walked(dim)) continue;
      if (!is_last) {
        blocks_[dim] = named(blocks_[dim], fmt::format("blocks_{}", axes[dim]), names_, into);
      }
      is_last = false;
    }
  }

  ir::For loop(const Expr& blocks, Block& before) {
    const Division each = divided(blocks, ir::literal(groups_));
    const Expr share = named(each.whole, "share", names_, before);
    const Expr rest = named(each.rest, "rest", names_, before);
    const auto start_of = [&](const Expr& group) {
      const Expr start = times(group, share);
      return is_literal(rest, 0) ? start : plus(start, minimum(group, rest));
    };
    const Expr group = Id{IdKind::group, 0};
    const std::string name = names_.fresh("block");
    return {name, start_of(group), start_of(plus(group, ir::literal(1U))), ir::literal(1U),
            items_of(ir::Var{name, {Scalar::u32}})};
  }

  // The items of a block: one for each invocation of the group, where it is in the grid.
  // Independent invocations know their own place and the grid's extent, no other id.
  Block items_of(const Expr& block) {
    Block made;
    const std::array<Expr, 3> place = places(block, made);
    Block body = replaced(program_.body, [&](const Expr& e) -> std::optional<Expr> {
      const auto* id = ir::as<Id>(e);
      if (id == nullptr) return std::nullopt;
      return id->kind == IdKind::invocation ? place[id->dim] : program_.grid[id->dim];
    });
    std::optional<Expr> inside;
    for (std::size_t dim = 0; dim < 3; ++dim) {
      if (!is_ragged(dim)) continue;
      const Expr in_grid = compared(BinaryOp::lt, place[dim], program_.grid[dim]);
      inside = inside ? both(*inside, in_grid) : in_grid;
    }
    if (!inside) return append(std::move(made), std::move(body));
    made.push_back({ir::If{*inside, std::move(body), {}}});
    return made;
  }

  static Block append(Block to, Block more) {
    to.insert(to.end(), more.begin(), more.end());
    return to;
  }

  // Where this invocation stands in the grid as it was.
  std::array<Expr, 3> places(const Expr& block, Block& into) {
    std::array<Expr, 3> made;
    Expr left = block;
    for (std::uint8_t dim = 0; dim < 3; ++dim) {
      const Division turn = is_last_walked(dim) ? Division{ir::literal(0U), left} : next(left, dim);
      made[dim] = place_in(turn.rest, dim, into);
      left = turn.whole;
    }
    return made;
  }
  [[nodiscard]] Division next(const Expr& left, std::size_t dim) const {
    return is_walked(dim) ? divided(left, blocks_[dim]) : Division{left, ir::literal(0U)};
  }
  [[nodiscard]] bool is_last_walked(std::size_t dim) const {
    return is_walked(dim) && (dim > 0 || !is_walked(1)) && (dim > 1 || !is_walked(2));
  }

  Expr place_in(const Expr& turn, std::uint8_t dim, Block& into) {
    const std::uint32_t extent = workgroup_[dim];
    const Expr local = extent == 1 ? ir::literal(0U) : Expr(Id{IdKind::local, dim});
    Expr place = plus(times(turn, ir::literal(extent)), local);
    if (ir::is<ir::Var>(place) || ir::is<Id>(place)) return place;
    return named(place, fmt::format("place_{}", axes[dim]), names_, into);
  }

  const ir::Program& program_;
  Extent workgroup_;
  std::uint32_t groups_;
  ir::Names& names_;
  std::array<Expr, 3> blocks_;  // of the grid, by dimension
};

}  // namespace

GroupWalk walked_by_groups(const ir::Program& program, const Extent& workgroup,
                           std::uint32_t groups, ir::Names& names) {
  return Walker(program, workgroup, groups, names).run();
}

}  // namespace vyre::schedule
