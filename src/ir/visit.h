// Walks programs: the direct parts of a node, and all expressions or statements below one.
//
// Every walk rests on three matches, any_operand of an expression and of a statement and any_block,
// so a new kind of node does not compile until it has its line in them. Walks go in the order of
// the text, a node before its parts; any_... stops at the first part that passes the test and says
// whether there was one, for_each_... visits all. Nothing is allocated.
#pragma once

#include <algorithm>

#include "vyre/ir/program.h"

namespace vyre::ir {

// The direct operands of an expression.
template <class Test>
[[nodiscard]] bool any_operand(const ExprVariant& node, const Test& test) {
  return std::visit(
      Match{
          [](const OneOf<Literal, Var, Id> auto&) { return false; },
          [&](const Load& n) { return test(n.index); },
          [&](const OneOf<Unary, Convert, Bitcast, Splat> auto& n) { return test(n.arg); },
          [&](const Binary& n) { return test(n.left) || test(n.right); },
          [&](const Fma& n) { return test(n.a) || test(n.b) || test(n.c); },
          [&](const Select& n) { return test(n.cond) || test(n.yes) || test(n.no); },
          [&](const Vector& n) { return std::ranges::any_of(n.lanes, test); },
          [&](const OneOf<Lane, Reduce> auto& n) { return test(n.vector); },
      },
      node);
}
template <class Test>
[[nodiscard]] bool any_operand(const Expr& expr, const Test& test) {
  return any_operand((*expr).node, test);
}

// The expressions directly in a statement, not those of its blocks.
template <class Test>
[[nodiscard]] bool any_operand(const Stmt& stmt, const Test& test) {
  return match(
      stmt, [&](const OneOf<Let, Assign> auto& s) { return test(s.value); },
      [&](const OneOf<Store, AtomicAdd> auto& s) { return test(s.index) || test(s.value); },
      [&](const OneOf<If, While> auto& s) { return test(s.cond); },
      [&](const For& s) { return test(s.begin) || test(s.end) || test(s.step); },
      [](const OneOf<Break, Barrier, Region> auto&) { return false; });
}

// The blocks directly in a statement; they can be changed where the statement can.
template <class Statement, class Test>
  requires std::same_as<std::remove_const_t<Statement>, Stmt>
[[nodiscard]] bool any_block(Statement& stmt, const Test& test) {
  return std::visit(
      Match{
          [](OneOf<Let, Assign, Store, AtomicAdd, Break, Barrier> auto&) { return false; },
          [&](OneOf<If> auto& s) { return test(s.then) || test(s.otherwise); },
          [&](OneOf<For, While, Region> auto& s) { return test(s.body); },
      },
      stmt.node);
}

// An expression and all below it; all that are in a statement, a block or a program's sizes and
// body.
template <class Test>
[[nodiscard]] bool any_expr(const Expr& expr, const Test& test) {
  return test(expr) || any_operand(expr, [&](const Expr& e) { return any_expr(e, test); });
}
template <class Test>
[[nodiscard]] bool any_expr(const Block& block, const Test& test);
template <class Test>
[[nodiscard]] bool any_expr(const Stmt& stmt, const Test& test) {
  return any_operand(stmt, [&](const Expr& e) { return any_expr(e, test); }) ||
         any_block(stmt, [&](const Block& block) { return any_expr(block, test); });
}
template <class Test>
bool any_expr(const Block& block, const Test& test) {
  return std::ranges::any_of(block, [&](const Stmt& stmt) { return any_expr(stmt, test); });
}
template <class Test>
[[nodiscard]] bool any_size_expr(const Program& program, const Test& test) {
  const auto any = [&](const Expr& size) { return any_expr(size, test); };
  return std::ranges::any_of(program.buffers, any, &Buffer::count) ||
         std::ranges::any_of(program.grid, any) ||
         std::ranges::any_of(program.then, [&](const Stage& stage) {
           return std::ranges::any_of(stage.grid, any);
         });
}
// The bodies of all stages.
template <class Test>
[[nodiscard]] bool any_body(const Program& program, const Test& test) {
  return test(program.body) || std::ranges::any_of(program.then, test, &Stage::body);
}
template <class Test>
[[nodiscard]] bool any_expr(const Program& program, const Test& test) {
  return any_size_expr(program, test) ||
         any_body(program, [&](const Block& body) { return any_expr(body, test); });
}

// A statement and all in its blocks; all that are in a block.
template <class Test>
[[nodiscard]] bool any_stmt(const Block& block, const Test& test);
template <class Test>
[[nodiscard]] bool any_stmt(const Stmt& stmt, const Test& test) {
  return test(stmt) || any_block(stmt, [&](const Block& block) { return any_stmt(block, test); });
}
template <class Test>
bool any_stmt(const Block& block, const Test& test) {
  return std::ranges::any_of(block, [&](const Stmt& stmt) { return any_stmt(stmt, test); });
}

template <class Test>
[[nodiscard]] bool any_stmt(const Program& program, const Test& test) {
  return any_body(program, [&](const Block& body) { return any_stmt(body, test); });
}

// Whether something in a loop's body, or in a part of it, leaves the loop early.
[[nodiscard]] inline bool has_break(const Block& block);
[[nodiscard]] inline bool has_break(const Stmt& stmt) {
  if (is<Break>(stmt)) return true;
  return !is<While>(stmt) && any_block(stmt, [](const Block& inner) { return has_break(inner); });
}
inline bool has_break(const Block& block) {
  return std::ranges::any_of(block, [](const Stmt& stmt) { return has_break(stmt); });
}

// The same walks to their end.
template <class Visit>
void for_each_operand(const auto& node, const Visit& visit) {
  static_cast<void>(any_operand(node, [&](const Expr& e) { return visit(e), false; }));
}
template <class Visit>
void for_each_block(auto& stmt, const Visit& visit) {
  static_cast<void>(any_block(stmt, [&](auto& block) { return visit(block), false; }));
}
template <class Visit>
void for_each_expr(const auto& node, const Visit& visit) {
  static_cast<void>(any_expr(node, [&](const Expr& e) { return visit(e), false; }));
}
template <class Visit>
void for_each_stmt(const auto& node, const Visit& visit) {
  static_cast<void>(any_stmt(node, [&](const Stmt& stmt) { return visit(stmt), false; }));
}

}  // namespace vyre::ir
