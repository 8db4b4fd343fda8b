// Rebuilds expressions and statements with some parts replaced: the base of passes that rename.
#pragma once

#include <functional>

#include "vyre/ir/program.h"

namespace vyre::ir {

// The same node with each direct operand replaced by `change(operand)`, in order. Places are kept.
template <class Change>
[[nodiscard]] Expr with_operands(const Expr& expr, const Change& change) {
  const Place at = expr.place();
  return match(
      expr, [&](const Literal&) { return expr; }, [&](const Var&) { return expr; },
      [&](const Id&) { return expr; },
      [&](const Load& n) { return Expr(Load{n.buffer, n.element, change(n.index), n.lanes}, at); },
      [&](const Unary& n) { return Expr(Unary{n.op, change(n.arg)}, at); },
      [&](const Binary& n) { return Expr(Binary{n.op, change(n.left), change(n.right)}, at); },
      [&](const Fma& n) { return Expr(Fma{change(n.a), change(n.b), change(n.c)}, at); },
      [&](const Select& n) {
        return Expr(Select{change(n.cond), change(n.yes), change(n.no)}, at);
      },
      [&](const Convert& n) { return Expr(Convert{n.to, change(n.arg)}, at); },
      [&](const Bitcast& n) { return Expr(Bitcast{n.to, change(n.arg)}, at); },
      [&](const Splat& n) { return Expr(Splat{n.lanes, change(n.arg)}, at); },
      [&](const Vector& n) {
        std::vector<Expr> lanes;
        for (const Expr& lane : n.lanes) lanes.push_back(change(lane));
        return Expr(Vector{std::move(lanes)}, at);
      },
      [&](const Lane& n) { return Expr(Lane{change(n.vector), n.lane}, at); });
}

// New names for what a program declares. Called once for each declaration, in the order of the
// text; uses follow the declaration they mean.
struct Renaming {
  std::function<std::string(const std::string&)> local;   // let, var, loop variables
  std::function<std::string(const std::string&)> buffer;  // buffers, by their present name
};
[[nodiscard]] Block renamed(const Block& block, const Renaming& renaming);

}  // namespace vyre::ir
