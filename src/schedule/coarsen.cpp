#include "schedule/coarsen.h"

#include <fmt/format.h>

#include "ir/fold.h"
#include "schedule/items.h"
#include "schedule/step.h"
#include "schedule/widen.h"

namespace vyre::schedule {
namespace {

using ir::Expr;

constexpr std::uint32_t max_jammed = 64;

ir::Block contiguous(Items& items, std::uint32_t count) {
  const Expr end = plus(items.first(), ir::literal(count));
  ir::Block body = {items.let_first()};
  body.push_back(items.loop_to(items.divides() ? end : minimum(end, items.extent())));
  return body;
}

// Counted by the round, not by the item: an item's number plus the grid could leave u32.
ir::Block strided(Items& items, const Coarsening& how) {
  const std::string round = items.names().fresh("round");
  const std::string name = items.names().fresh("item");
  const ir::Type u32 = {Scalar::u32};
  const Expr first = ir::Id{ir::IdKind::invocation, how.dim};
  const Expr apart = ir::Id{ir::IdKind::grid, how.dim};
  const Expr item = ir::Var{name, u32};
  ir::For loop{round, ir::literal(0U), ir::literal(how.items), ir::literal(1U), {}};
  loop.body.push_back({ir::Let{name, plus(times(ir::Var{round, u32}, apart), first)}});
  ir::Block body = items.body_of(item);
  if (items.divides()) {
    loop.body.insert(loop.body.end(), body.begin(), body.end());
  } else {
    const Expr inside = compared(ir::BinaryOp::lt, item, items.extent());
    loop.body.push_back({ir::If{inside, std::move(body), {}}});
  }
  return {{std::move(loop)}};
}

ir::Block jammed(Items& items, const Coarsening& how) {
  const Lanes::Options options = {.dim = how.dim, .width = how.items, .first = items.first()};
  return items.in_full(widened(items.body(), options, items.names()).body);
}

ir::Block walked(Items& items, const Coarsening& how) {
  if (how.order == Order::contiguous) return contiguous(items, how.items);
  return how.order == Order::strided ? strided(items, how) : jammed(items, how);
}

}  // namespace

Result<ir::Program> coarsened(const ir::Program& program, Coarsening how) {
  if (how.items == 1) return program;
  const std::string what =
      fmt::format("give each invocation {} items in {}", how.items, "xyz"[how.dim]);
  if (how.items == 0 || (how.order == Order::jammed && how.items > max_jammed)) {
    return refuse(what, fmt::format("there are from 1 to {} side by side", max_jammed));
  }
  if (auto fine = check_independent(program, what); !fine) return std::unexpected(fine.error());
  Items items(with_unique_names(program), how.dim, how.items);
  return finished(items.with_body(walked(items, how)), what);
}

}  // namespace vyre::schedule
