#include "ir/rewrite.h"

#include "ir/fold.h"

namespace vyre::ir {
namespace {

// The node with other operands.
Expr rebuilt(const Expr& expr, const std::vector<Expr>& operands) {
  const auto* binary = as<Binary>(expr);
  if (binary != nullptr && is_word(expr.type().scalar) && expr.type().lanes == 1) {
    if (binary->op == BinaryOp::add) return plus(operands[0], operands[1]);
    if (binary->op == BinaryOp::sub) return minus(operands[0], operands[1]);
    if (binary->op == BinaryOp::mul) return times(operands[0], operands[1]);
  }
  std::size_t next = 0;
  return with_operands(expr, [&](const Expr&) { return operands[next++]; });
}

// Nothing where nothing was replaced.
std::optional<Expr> changed(const Expr& expr, const Replace& replace) {
  if (auto made = replace(expr)) return made;
  std::vector<Expr> parts;
  bool any = false;
  for_each_operand(expr, [&](const Expr& operand) {
    auto made = changed(operand, replace);
    any = any || made;
    parts.push_back(made ? *std::move(made) : operand);
  });
  return any ? std::optional(rebuilt(expr, parts)) : std::nullopt;
}

}  // namespace

Expr replaced(const Expr& expr, const Replace& replace) {
  return changed(expr, replace).value_or(expr);
}

Stmt replaced(const Stmt& stmt, const Replace& replace) {
  return with_parts(
      stmt, [&](const Expr& e) { return replaced(e, replace); },
      [&](const Block& block) { return replaced(block, replace); });
}

Block replaced(const Block& block, const Replace& replace) {
  Block made;
  made.reserve(block.size());
  for (const Stmt& stmt : block) made.push_back(replaced(stmt, replace));
  return made;
}

Block with_id(const Block& block, Id id, const Expr& value) {
  return replaced(block, [&](const Expr& e) -> std::optional<Expr> {
    const auto* found = as<Id>(e);
    return found != nullptr && *found == id ? std::optional(value) : std::nullopt;
  });
}

Block with_var(const Block& block, const std::string& name, const Expr& value) {
  return replaced(block, [&](const Expr& e) -> std::optional<Expr> {
    const auto* found = as<Var>(e);
    return found != nullptr && found->name == name ? std::optional(value) : std::nullopt;
  });
}

Stmt with_targets(const Stmt& stmt, const std::unordered_map<std::string, std::string>& targets) {
  Block made = map_stmts({stmt}, [&](Stmt inner, Block& into) {
    const auto* assign = as<Assign>(inner);
    const auto target = assign == nullptr ? targets.end() : targets.find(assign->name);
    if (target != targets.end()) inner.node = Assign{target->second, assign->value};
    into.push_back(std::move(inner));
  });
  return std::move(made.front());
}

}  // namespace vyre::ir
