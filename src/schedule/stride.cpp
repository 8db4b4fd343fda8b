#include "schedule/stride.h"

#include "schedule/fold.h"
#include "schedule/names.h"
#include "schedule/rewrite.h"

namespace vyre::schedule {

using ir::BinaryOp;
using ir::Expr;

namespace {

// Strides of names that are used twice each time grow fast; such are of no use to anyone.
constexpr std::uint32_t max_depth = 6;

}  // namespace

Strides::Strides(const ir::Block& body, const Varying& varying)
    : varying_(varying), mutable_(mutable_names(body)) {
  for_each(body, [&](const ir::Stmt& stmt) {
    const auto* let = std::get_if<ir::Let>(&stmt.node);
    if (let == nullptr || let->is_mutable) return;
    auto stride = of(let->value);
    if (stride && stride->depth() <= max_depth) lets_.emplace(let->name, *std::move(stride));
  });
}

std::optional<Expr> Strides::of_name(const std::string& name) const {
  const auto found = lets_.find(name);
  return found == lets_.end() ? std::nullopt : std::optional(found->second);
}

bool Strides::is(const Expr& expr, std::uint32_t stride) const {
  const auto found = of(expr);
  return found && is_literal(*found, stride);
}

// Keeps its value from here on: a stride is used long after it was found.
bool Strides::is_fixed(const Expr& expr) const {
  return !varying_.varies(expr) && !any_of(expr, [&](const Expr& e) {
    const auto* var = get_if<ir::Var>(e);
    return get_if<ir::Load>(e) != nullptr || (var != nullptr && mutable_.contains(var->name));
  });
}

std::optional<Expr> Strides::of(const Expr& expr) const {
  const ir::Type type = expr.type();
  if (!is_integer(type.scalar) || type.lanes != 1) return std::nullopt;
  if (!varying_.varies(expr)) return integer(0, type.scalar);
  if (get_if<ir::Id>(expr) != nullptr) return integer(1, type.scalar);
  if (const auto* var = get_if<ir::Var>(expr)) return of_name(var->name);
  if (const auto* binary = get_if<ir::Binary>(expr)) return of_binary(*binary);
  const Expr* same_bits = nullptr;
  if (const auto* n = get_if<ir::Convert>(expr)) same_bits = &n->arg;
  if (const auto* n = get_if<ir::Bitcast>(expr)) same_bits = &n->arg;
  if (same_bits == nullptr) return std::nullopt;
  auto stride = of(*same_bits);
  if (!stride || stride->type() == type) return stride;
  if (const auto bits = literal_bits(*stride)) return integer(*bits, type.scalar);
  return Expr(ir::Convert{type.scalar, *stride});
}

std::optional<Expr> Strides::of_binary(const ir::Binary& node) const {
  if (node.op == BinaryOp::mul) {
    return varying_.varies(node.left) ? scaled(node.left, node.right)
                                      : scaled(node.right, node.left);
  }
  const auto bits = literal_bits(node.right);
  if (node.op == BinaryOp::shl && bits) {
    return scaled(node.left, integer(1U << (*bits % 32), node.left.type().scalar));
  }
  if (node.op != BinaryOp::add && node.op != BinaryOp::sub) return std::nullopt;
  const auto left = of(node.left);
  const auto right = of(node.right);
  if (!left || !right) return std::nullopt;
  return node.op == BinaryOp::add ? plus(*left, *right) : minus(*left, *right);
}

std::optional<Expr> Strides::scaled(const Expr& of_this, const Expr& by) const {
  const auto stride = of(of_this);
  if (!stride || !is_fixed(by)) return std::nullopt;
  return times(*stride, by);
}

}  // namespace vyre::schedule
