#include "schedule/group_items.h"

#include <fmt/format.h>

#include <optional>

#include "ir/fold.h"
#include "ir/grouping.h"
#include "ir/rewrite.h"
#include "ir/varying.h"
#include "schedule/items.h"
#include "schedule/listed_workgroups.h"

namespace vyre::schedule {
namespace {

using ir::Expr;
using ir::Id;
using ir::IdKind;

// Sizes are of the workgroup as it was. They do not wrap, so nothing in them is regrouped.
Expr in_workgroup(const Expr& size, const Extent& workgroup) {
  return map_exprs(size, [&](const Expr& e) {
    const auto* id = ir::as<Id>(e);
    return id == nullptr ? e : Expr(ir::literal(workgroup[id->dim]));
  });
}

ir::Program with_literal_sizes(ir::Program program) {
  for (ir::Buffer& buffer : program.buffers) {
    buffer.count = in_workgroup(buffer.count, program.workgroup);
  }
  for (Expr& extent : program.grid) extent = in_workgroup(extent, program.workgroup);
  return in_own_workgroup(std::move(program));
}

// A stand-in for local.d, because all that knows items knows them by their invocation's id.
ir::Block by_place_in_group(const ir::Program& program, std::uint8_t dim) {
  const Expr own = Id{IdKind::invocation, dim};
  const Expr start = times(Id{IdKind::group, dim}, ir::literal(program.workgroup[dim]));
  return replaced(program.body, [&](const Expr& e) -> std::optional<Expr> {
    const auto* id = ir::as<Id>(e);
    if (id == nullptr || id->dim != dim) return std::nullopt;
    if (id->kind == IdKind::local) return own;
    if (id->kind == IdKind::invocation) return plus(start, own);
    return id->kind == IdKind::grid ? std::optional(program.grid[dim]) : std::nullopt;
  });
}

Result<void> check_barriers(const ir::Program& program, std::uint8_t dim, std::string_view what) {
  const ir::Block& body = program.body;
  const ir::Varying varying(body, dim, ir::private_names(program));
  Result<void> fine;
  (void)any_stmt(body, [&](const ir::Stmt& stmt) {
    const bool parts_ways = varying.diverges(stmt) && ir::has_barrier({stmt});
    if (parts_ways) fine = refuse(what, stmt, "invocations may part ways around a barrier");
    return parts_ways;
  });
  return fine;
}

}  // namespace

GroupItems::GroupItems(ir::Program program, std::uint8_t dim, std::uint32_t count)
    : program_(std::move(program)),
      dim_(dim),
      count_(count),
      names_(program_),
      first_(ir::Var{names_.fresh("first"), {Scalar::u32}}) {}

Result<GroupItems> GroupItems::make(const ir::Program& program, std::uint8_t dim,
                                    std::uint32_t count, std::string_view what) {
  if (!has_barrier(program.body)) return Unexpected(check_independent(program, what).error());
  if (program.workgroup[dim] % count != 0) {
    return refuse(what, fmt::format("the workgroup has {} invocations in {}, no multiple of {}",
                                    program.workgroup[dim], "xyz"[dim], count));
  }
  ir::Program made = with_unique_names(with_literal_sizes(program));
  made.body = by_place_in_group(made, dim);
  if (auto fine = check_barriers(made, dim, what); !fine) return Unexpected(fine.error());
  return GroupItems(std::move(made), dim, count);
}

std::vector<ir::Buffer> GroupItems::private_buffers() const {
  return schedule::private_buffers(program_);
}

void GroupItems::spread(const ir::NameSet& private_buffers) {
  schedule::spread(program_, private_buffers, count_);
}

ir::Program GroupItems::with_body(const ir::Block& body) const {
  ir::Program made = program_;
  made.workgroup[dim_] /= count_;
  made.grid[dim_] = quotient(made.grid[dim_], count_);
  const Expr first = times(Id{IdKind::local, dim_}, ir::literal(count_));
  made.body = {{ir::Let{ir::as<ir::Var>(first_)->name, first}}};
  made.body.insert(made.body.end(), body.begin(), body.end());
  return made;
}

}  // namespace vyre::schedule
