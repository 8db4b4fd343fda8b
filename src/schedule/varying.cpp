#include "schedule/varying.h"

#include <algorithm>

#include "schedule/rewrite.h"

namespace vyre::schedule {

// What is assigned late in a loop is read early in its next iteration: hence until nothing is new.
Varying::Varying(const ir::Block& body, std::uint8_t dim) : dim_(dim) {
  while (learn(body, true)) {
  }
}

bool Varying::varies(const ir::Expr& expr) const {
  return any_of(expr, [&](const ir::Expr& e) {
    if (const auto* id = get_if<ir::Id>(e)) {
      return id->kind == ir::IdKind::invocation && id->dim == dim_;
    }
    const auto* var = get_if<ir::Var>(e);
    return var != nullptr && varies(var->name);
  });
}

bool Varying::diverges(const ir::Stmt& stmt) const {
  if (!std::holds_alternative<ir::If>(stmt.node) && !std::holds_alternative<ir::For>(stmt.node)) {
    return false;
  }
  return std::ranges::any_of(operands(stmt), [&](const ir::Expr& e) { return varies(e); });
}

bool Varying::learn(const std::string& name) { return names_.insert(name).second; }

// `together`: all invocations come here together. Where they do not, what they assign varies.
// What is declared there need not: whoever sees it came the same way.
bool Varying::learn(const ir::Block& block, bool together) {
  bool is_new = false;
  for (const ir::Stmt& stmt : block) {
    const bool inside = together && !diverges(stmt);
    if (const auto* let = std::get_if<ir::Let>(&stmt.node)) {
      if (varies(let->value)) is_new |= learn(let->name);
    } else if (const auto* assign = std::get_if<ir::Assign>(&stmt.node)) {
      if (!inside || varies(assign->value)) is_new |= learn(assign->name);
    } else if (const auto* loop = std::get_if<ir::For>(&stmt.node)) {
      if (diverges(stmt)) is_new |= learn(loop->name);
    }
    for (const ir::Block* inner : blocks(stmt)) is_new |= learn(*inner, inside);
  }
  return is_new;
}

}  // namespace vyre::schedule
