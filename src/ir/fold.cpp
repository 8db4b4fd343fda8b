#include "ir/fold.h"

#include <algorithm>

#include "ir/interval.h"

namespace vyre::ir {
namespace {

// `expr` as a sum whose right side is a literal.
const Binary* sum_with_literal(const Expr& expr) {
  const auto* sum = as<Binary>(expr);
  return sum != nullptr && sum->op == BinaryOp::add && literal_bits(sum->right) ? sum : nullptr;
}

bool is_true(const Expr& expr) {
  const auto* n = as<Literal>(expr);
  return n != nullptr && n->scalar == Scalar::boolean && n->bits == 1;
}

}  // namespace

std::optional<std::uint32_t> literal_bits(const Expr& expr) {
  const auto* n = as<Literal>(expr);
  if (n == nullptr || !is_word(n->scalar)) return std::nullopt;
  return static_cast<std::uint32_t>(n->bits);
}

bool is_literal(const Expr& expr, std::uint32_t value) { return literal_bits(expr) == value; }

Expr integer(std::uint32_t bits, Scalar scalar) { return Literal{scalar, bits}; }
Expr zero(Scalar scalar) { return Literal{scalar, 0}; }

Expr plus(const Expr& a, const Expr& b) {
  const auto left = literal_bits(a);
  const auto right = literal_bits(b);
  const Scalar scalar = a.type().scalar;
  if (left && right) return integer(*left + *right, scalar);
  if (left) return plus(b, a);
  if (right && *right == 0) return a;
  if (const Binary* sum = sum_with_literal(a)) return plus(sum->left, plus(sum->right, b));
  if (const Binary* sum = sum_with_literal(b)) return plus(plus(a, sum->left), sum->right);
  return Binary{BinaryOp::add, a, b};
}

Expr minus(const Expr& a, const Expr& b) {
  const auto left = literal_bits(a);
  const auto right = literal_bits(b);
  if (left && right) return integer(*left - *right, a.type().scalar);
  if (right && *right == 0) return a;
  if (a == b) return integer(0, a.type().scalar);
  if (const Binary* sum = sum_with_literal(a); sum != nullptr && sum->left == b) return sum->right;
  return Binary{BinaryOp::sub, a, b};
}

Expr times(const Expr& a, const Expr& b) {
  const auto left = literal_bits(a);
  const auto right = literal_bits(b);
  if (left && right) return integer(*left * *right, a.type().scalar);
  if (left) return times(b, a);
  if (right && *right == 1) return a;
  if (right && *right == 0) return b;
  return Binary{BinaryOp::mul, a, b};
}

Expr quotient(const Expr& a, std::uint32_t by) {
  if (by == 1) return a;
  if (const auto value = literal_bits(a)) return literal(*value / by);
  return Binary{BinaryOp::div, a, literal(by)};
}

Expr remainder(const Expr& a, std::uint32_t by) {
  if (const auto value = literal_bits(a)) return literal(*value % by);
  return by == 1 ? literal(0U) : Expr(Binary{BinaryOp::rem, a, literal(by)});
}

Expr ceil_div(const Expr& a, std::uint32_t by) {
  return by == 1 ? a : quotient(plus(a, literal(by - 1)), by);
}

namespace {

Expr extremum(BinaryOp op, const Expr& a, const Expr& b) {
  if (a == b) return a;
  const auto left = literal_bits(a);
  const auto right = literal_bits(b);
  if (!left || !right || a.type().scalar != Scalar::u32) return Binary{op, a, b};
  return literal(op == BinaryOp::min ? std::min(*left, *right) : std::max(*left, *right));
}

}  // namespace

Expr minimum(const Expr& a, const Expr& b) { return extremum(BinaryOp::min, a, b); }
Expr maximum(const Expr& a, const Expr& b) { return extremum(BinaryOp::max, a, b); }

Expr both(const Expr& a, const Expr& b) {
  if (is_true(a)) return b;
  return is_true(b) ? a : Expr(Binary{BinaryOp::bit_and, a, b});
}

Expr compared(BinaryOp op, const Expr& a, const Expr& b) { return Binary{op, a, b}; }

Expr negation(const Expr& cond) {
  if (const auto* unary = as<Unary>(cond); unary != nullptr && unary->op == UnaryOp::bit_not) {
    return unary->arg;
  }
  if (const auto* node = as<Binary>(cond)) {
    if (is_comparison(node->op) && is_integer(node->left.type().scalar)) {
      return compared(negated(node->op), node->left, node->right);
    }
    if (node->op == BinaryOp::bit_or) return both(negation(node->left), negation(node->right));
    if (node->op == BinaryOp::bit_and) {
      return Binary{BinaryOp::bit_or, negation(node->left), negation(node->right)};
    }
  }
  return Unary{UnaryOp::bit_not, cond};
}

}  // namespace vyre::ir
