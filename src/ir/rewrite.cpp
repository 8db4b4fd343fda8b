#include "ir/rewrite.h"

#include <map>
#include <vector>

namespace vyre::ir {

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
