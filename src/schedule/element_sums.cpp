#include "schedule/element_sums.h"

#include <algorithm>
#include <optional>

#include "ir/fold.h"

namespace vyre::schedule {

using ir::BinaryOp;
using ir::Expr;

namespace {

Expr zero_of(ir::Type type) {
  const Expr zero = ir::zero(type.scalar);
  return type.lanes == 1 ? zero : Expr(ir::Splat{type.lanes, zero});
}

// What a vector variable can add up before its lanes are.
const Expr& lanes_of(const Expr& value) {
  const auto* lanes = ir::as<ir::Reduce>(value);
  return lanes != nullptr && lanes->op == BinaryOp::add ? lanes->vector : value;
}

}  // namespace

ElementSums::Sum& ElementSums::sum_of(const ir::AtomicAdd& atomic) {
  const auto found = std::ranges::find_if(sums_, [&](const Sum& sum) {
    return sum.buffer == atomic.buffer && sum.index == atomic.index;
  });
  if (found != sums_.end()) return *found;
  return sums_.emplace_back(Sum{atomic.buffer, atomic.index, {}});
}

const ir::Var& ElementSums::part_of(Sum& sum, ir::Type type) {
  const auto found = std::ranges::find(sum.parts, type, &ir::Var::type);
  if (found != sum.parts.end()) return *found;
  return sum.parts.emplace_back(ir::Var{names_->fresh("sum"), type});
}

ir::Stmt ElementSums::added(const ir::AtomicAdd& atomic) {
  const Expr& value = lanes_of(atomic.value);
  const ir::Var& part = part_of(sum_of(atomic), value.type());
  return {ir::Assign{part.name, ir::Binary{BinaryOp::add, part, value}}};
}

Expr ElementSums::Sum::total() const {
  std::optional<Expr> all;
  for (const ir::Var& part : parts) {
    const Expr own = part.type.lanes == 1 ? Expr(part) : Expr(ir::Reduce{BinaryOp::add, part});
    all = all ? Expr(ir::Binary{BinaryOp::add, *all, own}) : own;
  }
  return *all;
}

void ElementSums::declare(ir::Block& into) const {
  for (const Sum& sum : sums_) {
    for (const ir::Var& part : sum.parts) {
      into.push_back({ir::Let{part.name, zero_of(part.type), true}});
    }
  }
}

ir::Stmt added_if_any(const std::string& buffer, const Expr& index, const Expr& value) {
  return {ir::If{compared(BinaryOp::ne, value, ir::zero(value.type().scalar)),
                 {{ir::AtomicAdd{buffer, index, value}}},
                 {}}};
}

}  // namespace vyre::schedule
