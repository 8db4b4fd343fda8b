#include "ir/rewrite.h"

#include <algorithm>
#include <map>
#include <vector>

namespace vyre::ir {

Expr with_operands(const Expr& expr, const std::function<Expr(const Expr&)>& change) {
  const Place at = expr.place();
  return match(
      expr, [&](const Literal&) { return expr; }, [&](const Var&) { return expr; },
      [&](const Id&) { return expr; },
      [&](const Load& n) { return Expr(Load{n.buffer, n.element, change(n.index), n.lanes}, at); },
      [&](const Unary& n) { return Expr(Unary{n.op, change(n.arg)}, at); },
      [&](const Binary& n) {
        Expr left = change(n.left);
        return Expr(Binary{n.op, std::move(left), change(n.right)}, at);
      },
      [&](const Fma& n) {
        Expr a = change(n.a);
        Expr b = change(n.b);
        return Expr(Fma{std::move(a), std::move(b), change(n.c)}, at);
      },
      [&](const Select& n) {
        Expr cond = change(n.cond);
        Expr yes = change(n.yes);
        return Expr(Select{std::move(cond), std::move(yes), change(n.no)}, at);
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

namespace {

// Sibling blocks may use the same name for different things, so names are looked up by scope.
class Renamer {
 public:
  explicit Renamer(const Renaming& renaming) : renaming_(renaming) {}

  Block block(const Block& body) {
    scopes_.emplace_back();
    Block made;
    made.reserve(body.size());
    for (const Stmt& stmt : body) made.push_back({statement(stmt), stmt.place});
    scopes_.pop_back();
    return made;
  }

 private:
  decltype(Stmt::node) statement(const Stmt& stmt) {
    using Node = decltype(Stmt::node);
    return match(
        stmt,
        [&](const Let& s) -> Node {
          Expr value = expr(s.value);
          return Let{declare(s.name), std::move(value), s.is_mutable};
        },
        [&](const Assign& s) -> Node { return Assign{look_up(s.name), expr(s.value)}; },
        [&](const Store& s) -> Node {
          return Store{renaming_.buffer(s.buffer), expr(s.index), expr(s.value)};
        },
        [&](const AtomicAdd& s) -> Node {
          return AtomicAdd{renaming_.buffer(s.buffer), expr(s.index), expr(s.value)};
        },
        [&](const If& s) -> Node {
          If made{.cond = expr(s.cond)};
          made.then = block(s.then);
          made.otherwise = block(s.otherwise);
          return made;
        },
        [&](const For& s) -> Node {
          For made{.begin = expr(s.begin), .end = expr(s.end), .step = expr(s.step)};
          scopes_.emplace_back();
          made.name = declare(s.name);
          made.body = block(s.body);
          scopes_.pop_back();
          return made;
        },
        [&](const Barrier&) -> Node { return Barrier{}; },
        [&](const Region& s) -> Node { return Region{s.name, block(s.body)}; });
  }

  Expr expr(const Expr& e) {
    if (const auto* n = get_if<Var>(e)) return Expr(Var{look_up(n->name), n->type}, e.place());
    if (const auto* n = get_if<Load>(e)) {
      return Expr(Load{renaming_.buffer(n->buffer), n->element, expr(n->index), n->lanes},
                  e.place());
    }
    return with_operands(e, [&](const Expr& operand) { return expr(operand); });
  }

  std::string declare(const std::string& name) {
    return scopes_.back()[name] = renaming_.local(name);
  }

  // Uniforms are declared outside the body and keep their names.
  std::string look_up(const std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (const auto found = scope->find(name); found != scope->end()) return found->second;
    }
    return name;
  }

  const Renaming& renaming_;
  std::vector<std::map<std::string, std::string>> scopes_;
};

}  // namespace

Block renamed(const Block& block, const Renaming& renaming) {
  return Renamer(renaming).block(block);
}

}  // namespace vyre::ir
