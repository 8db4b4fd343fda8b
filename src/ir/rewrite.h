// Rebuilds expressions, statements and blocks with some of their parts replaced.
//
// with_operands and with_parts rebuild one node, by a match, so a new kind of node does not compile
// until it has its line in them; all other rewriters go through them. Places are kept.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "ir/visit.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

// The node with each direct operand replaced by change(operand), in order.
template <class Change>
[[nodiscard]] Expr with_operands(const Expr& expr, const Change& change) {
  const Place at = expr.place();
  return match(
      expr, [&](const OneOf<Literal, Var, Id> auto&) { return expr; },
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
        lanes.reserve(n.lanes.size());
        for (const Expr& lane : n.lanes) lanes.push_back(change(lane));
        return Expr(Vector{std::move(lanes)}, at);
      },
      [&](const Lane& n) { return Expr(Lane{change(n.vector), n.lane}, at); },
      [&](const Reduce& n) { return Expr(Reduce{n.op, change(n.vector)}, at); });
}

// The statement with its expressions replaced by change(expr) and its blocks by inside(block), in
// order.
template <class Change, class Inside>
[[nodiscard]] Stmt with_parts(const Stmt& stmt, const Change& change, const Inside& inside) {
  using Node = decltype(Stmt::node);
  Node node = match(
      stmt, [&](const Let& s) -> Node { return Let{s.name, change(s.value), s.is_mutable}; },
      [&](const Assign& s) -> Node { return Assign{s.name, change(s.value)}; },
      [&](const Store& s) -> Node { return Store{s.buffer, change(s.index), change(s.value)}; },
      [&](const AtomicAdd& s) -> Node {
        return AtomicAdd{s.buffer, change(s.index), change(s.value)};
      },
      [&](const If& s) -> Node { return If{change(s.cond), inside(s.then), inside(s.otherwise)}; },
      [&](const For& s) -> Node {
        return For{s.name, change(s.begin), change(s.end), change(s.step), inside(s.body)};
      },
      [&](const While& s) -> Node { return While{change(s.cond), inside(s.body)}; },
      [](const OneOf<Break, Barrier> auto& s) -> Node { return s; },
      [&](const Region& s) -> Node { return Region{s.name, inside(s.body)}; });
  return {std::move(node), stmt.place};
}

// The statement with only its blocks replaced.
template <class Inside>
[[nodiscard]] Stmt with_blocks(const Stmt& stmt, const Inside& inside) {
  return with_parts(stmt, [](const Expr& e) { return e; }, inside);
}

// From the leaves up: change(expr) of every expression whose operands are changed already.
template <class Change>
[[nodiscard]] Expr map_exprs(const Expr& expr, const Change& change) {
  return change(with_operands(expr, [&](const Expr& e) { return map_exprs(e, change); }));
}
template <class Change>
[[nodiscard]] Block map_exprs(const Block& block, const Change& change) {
  Block made;
  made.reserve(block.size());
  for (const Stmt& stmt : block) {
    made.push_back(with_parts(
        stmt, [&](const Expr& e) { return map_exprs(e, change); },
        [&](const Block& inner) { return map_exprs(inner, change); }));
  }
  return made;
}

// From the innermost blocks out: change(stmt, into) appends to `into` what takes the place of a
// statement whose blocks are changed already.
template <class Change>
[[nodiscard]] Block map_stmts(Block block, const Change& change) {
  Block made;
  made.reserve(block.size());
  for (Stmt& stmt : block) {
    for_each_block(stmt, [&](Block& inner) { inner = map_stmts(std::move(inner), change); });
    change(std::move(stmt), made);
  }
  return made;
}

// Substitution. What takes an expression's place; nothing: it stays, with its operands looked at in
// turn. What is put in is not looked at again. Sums and products of integers above a replaced part
// are folded (see ir/fold.h), which moves literals to where a compiler can use them:
// a[row * k + (i + 1)] becomes a[row * k + i + 1].
using Replace = std::function<std::optional<Expr>(const Expr&)>;

[[nodiscard]] Expr replaced(const Expr& expr, const Replace& replace);
[[nodiscard]] Stmt replaced(const Stmt& stmt, const Replace& replace);
[[nodiscard]] Block replaced(const Block& block, const Replace& replace);

// Every use of one id.
[[nodiscard]] Block with_id(const Block& block, Id id, const Expr& value);

// Every use of one name. Requires: it is declared once, and assigned nowhere in the block.
[[nodiscard]] Block with_var(const Block& block, const std::string& name, const Expr& value);

// Assignments to these names go to others. Reads are left as they are.
[[nodiscard]] Stmt with_targets(const Stmt& stmt,
                                const std::unordered_map<std::string, std::string>& targets);

}  // namespace vyre::ir
