#include "ir/stride.h"

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/visit.h"

namespace vyre::ir {
namespace {

// Strides of names that are used twice each time grow fast; such are of no use to anyone.
constexpr std::uint32_t max_depth = 6;

}  // namespace

Strides::Strides(const Block& body, const Varying& varying)
    : varying_(varying), mutable_(mutable_names(body)) {
  learn(body);
}

Strides::Strides(const Block& body, const Varying& varying, const Var& variable)
    : varying_(varying), mutable_(mutable_names(body)) {
  lets_.emplace(variable.name, integer(1, variable.type.scalar));
  learn(body);
}

void Strides::learn(const Block& body) {
  for_each_stmt(body, [&](const Stmt& stmt) {
    const auto* let = as<Let>(stmt);
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
  return !varying_.varies(expr) && !has_load(expr) && !mentions(expr, mutable_);
}

std::optional<Expr> Strides::of(const Expr& expr) const {
  using Found = std::optional<Expr>;
  const Type type = expr.type();
  if (!is_word(type.scalar) || type.lanes != 1) return std::nullopt;
  if (!varying_.varies(expr)) return integer(0, type.scalar);
  return match(
      expr, [&](const Id&) -> Found { return integer(1, type.scalar); },
      [&](const Var& n) { return of_name(n.name); }, [&](const Binary& n) { return of_binary(n); },
      [&](const OneOf<Convert, Bitcast> auto& n) { return of_same_bits(n.arg, type.scalar); },
      [](const OneOf<Literal, Load, Unary, Fma, Select, Splat, Vector, Lane, Reduce> auto&)
          -> Found { return std::nullopt; });
}

// Between u32 and i32; what comes from another type has no stride.
std::optional<Expr> Strides::of_same_bits(const Expr& arg, Scalar scalar) const {
  auto stride = of(arg);
  if (!stride || stride->type() == Type{scalar}) return stride;
  if (const auto bits = literal_bits(*stride)) return integer(*bits, scalar);
  return Expr(Convert{scalar, *stride});
}

std::optional<Expr> Strides::of_binary(const Binary& node) const {
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

}  // namespace vyre::ir
