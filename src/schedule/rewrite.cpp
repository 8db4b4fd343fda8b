#include "schedule/rewrite.h"

#include <algorithm>

#include "ir/rewrite.h"
#include "schedule/fold.h"

namespace vyre::schedule {

using ir::Block;
using ir::Expr;
using ir::Stmt;

namespace {

// The node with other operands. Sums and products of integers are folded, which moves literals to
// where a compiler can use them: a[row * k + (i + 1)] becomes a[row * k + i + 1].
Expr rebuilt(const Expr& expr, const std::vector<Expr>& operands) {
  const auto* binary = get_if<ir::Binary>(expr);
  if (binary != nullptr && is_integer(expr.type().scalar) && expr.type().lanes == 1) {
    if (binary->op == ir::BinaryOp::add) return plus(operands[0], operands[1]);
    if (binary->op == ir::BinaryOp::mul) return times(operands[0], operands[1]);
  }
  std::size_t next = 0;
  return ir::with_operands(expr, [&](const Expr&) { return operands[next++]; });
}

// Nothing where nothing was replaced.
std::optional<Expr> changed(const Expr& expr, const Replace& replace) {
  if (auto made = replace(expr)) return made;
  std::vector<Expr> parts = operands(expr);
  bool any = false;
  for (Expr& part : parts) {
    if (auto made = changed(part, replace)) {
      part = *std::move(made);
      any = true;
    }
  }
  return any ? std::optional(rebuilt(expr, parts)) : std::nullopt;
}

}  // namespace

Expr replaced(const Expr& expr, const Replace& replace) {
  return changed(expr, replace).value_or(expr);
}

Stmt replaced(const Stmt& stmt, const Replace& replace) {
  const auto change = [&](const Expr& e) { return replaced(e, replace); };
  using Node = decltype(Stmt::node);
  Node node = match(
      stmt,
      [&](const ir::Let& s) -> Node { return ir::Let{s.name, change(s.value), s.is_mutable}; },
      [&](const ir::Assign& s) -> Node { return ir::Assign{s.name, change(s.value)}; },
      [&](const ir::Store& s) -> Node {
        return ir::Store{s.buffer, change(s.index), change(s.value)};
      },
      [&](const ir::AtomicAdd& s) -> Node {
        return ir::AtomicAdd{s.buffer, change(s.index), change(s.value)};
      },
      [&](const ir::If& s) -> Node {
        return ir::If{change(s.cond), replaced(s.then, replace), replaced(s.otherwise, replace)};
      },
      [&](const ir::For& s) -> Node {
        return ir::For{s.name, change(s.begin), change(s.end), change(s.step),
                       replaced(s.body, replace)};
      },
      [](const ir::Barrier& s) -> Node { return s; },
      [&](const ir::Region& s) -> Node { return ir::Region{s.name, replaced(s.body, replace)}; });
  return {std::move(node), stmt.place};
}

Block replaced(const Block& block, const Replace& replace) {
  Block made;
  made.reserve(block.size());
  for (const Stmt& stmt : block) made.push_back(replaced(stmt, replace));
  return made;
}

Block with_id(const Block& block, ir::Id id, const Expr& value) {
  return replaced(block, [&](const Expr& e) -> std::optional<Expr> {
    const auto* found = get_if<ir::Id>(e);
    return found != nullptr && *found == id ? std::optional(value) : std::nullopt;
  });
}

Block with_var(const Block& block, const std::string& name, const Expr& value) {
  return replaced(block, [&](const Expr& e) -> std::optional<Expr> {
    const auto* found = get_if<ir::Var>(e);
    return found != nullptr && found->name == name ? std::optional(value) : std::nullopt;
  });
}

Stmt with_targets(const Stmt& stmt, const std::unordered_map<std::string, std::string>& targets) {
  Stmt made = stmt;
  const auto inside = [&](Block& block) {
    for (Stmt& inner : block) inner = with_targets(inner, targets);
  };
  if (auto* assign = std::get_if<ir::Assign>(&made.node)) {
    const auto found = targets.find(assign->name);
    if (found != targets.end()) assign->name = found->second;
  } else if (auto* branch = std::get_if<ir::If>(&made.node)) {
    inside(branch->then);
    inside(branch->otherwise);
  } else if (auto* loop = std::get_if<ir::For>(&made.node)) {
    inside(loop->body);
  } else if (auto* region = std::get_if<ir::Region>(&made.node)) {
    inside(region->body);
  }
  return made;
}

bool any_of(const Expr& expr, const Test& test) {
  return test(expr) ||
         std::ranges::any_of(operands(expr), [&](const Expr& e) { return any_of(e, test); });
}

bool any_of(const Stmt& stmt, const Test& test) {
  return std::ranges::any_of(operands(stmt), [&](const Expr& e) { return any_of(e, test); }) ||
         std::ranges::any_of(blocks(stmt), [&](const Block* block) {
           return std::ranges::any_of(*block, [&](const Stmt& s) { return any_of(s, test); });
         });
}

void for_each(const Block& block, const std::function<void(const Stmt&)>& visit) {
  for (const Stmt& stmt : block) {
    visit(stmt);
    for (const Block* inner : blocks(stmt)) for_each(*inner, visit);
  }
}

bool has_barrier(const ir::Block& block) {
  bool found = false;
  for_each(block, [&](const ir::Stmt& stmt) {
    found = found || std::holds_alternative<ir::Barrier>(stmt.node);
  });
  return found;
}

}  // namespace vyre::schedule
