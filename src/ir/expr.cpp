#include "vyre/ir/expr.h"

#include <algorithm>
#include <bit>

#include "ir/visit.h"

namespace vyre::ir {
namespace {

Type with_scalar(Type type, Scalar scalar) { return {scalar, type.lanes}; }

}  // namespace

Expr::Expr() {
  static const Expr zero(Literal{});
  *this = zero;
}

Type Expr::type() const { return node_->type; }
std::uint32_t Expr::depth() const { return node_->depth; }

Expr Expr::at(Place place) const {
  Expr copy = *this;
  copy.place_ = place;
  return copy;
}

bool Expr::operator==(const Expr& other) const {
  return node_ == other.node_ || node_->node == other.node_->node;
}

bool is_comparison(BinaryOp op) {
  using enum BinaryOp;
  return op == eq || op == ne || op == lt || op == le || op == gt || op == ge;
}

std::uint32_t ulps(UnaryOp op) {
  using enum UnaryOp;
  switch (op) {
    case neg:
    case bit_not:
    case abs:
    case floor:
    case ceil:
    case round:
    case popcount:
    case clz:
      return 0;
    case rsqrt:
      return 2;
    case sqrt:
    case exp:
    case log:
    case exp2:
    case log2:
      return 3;
    case sin:
    case cos:
      return 4;
    case tan:
    case tanh:
      return 5;
  }
  return 0;
}

std::uint32_t ulps(BinaryOp op, Scalar operand) {
  if (op == BinaryOp::pow) return 16;
  return op == BinaryOp::div && operand == Scalar::f32 ? 3 : 0;
}

Type type_of(const ExprVariant& node) {
  return std::visit(
      Match{
          [](const Literal& n) { return Type{n.scalar}; },
          [](const Var& n) { return n.type; },
          [](const Id&) { return Type{Scalar::u32}; },
          [](const Load& n) { return Type{value_type(n.element), n.lanes}; },
          [](const Unary& n) { return n.arg.type(); },
          [](const Binary& n) {
            return is_comparison(n.op) ? with_scalar(n.left.type(), Scalar::boolean)
                                       : n.left.type();
          },
          [](const Fma& n) { return n.a.type(); },
          [](const Select& n) { return n.yes.type(); },
          [](const OneOf<Convert, Bitcast> auto& n) { return with_scalar(n.arg.type(), n.to); },
          [](const Splat& n) { return Type{n.arg.type().scalar, n.lanes}; },
          [](const Vector& n) {
            const Scalar scalar = n.lanes.empty() ? Scalar::unknown : n.lanes[0].type().scalar;
            return Type{scalar,
                        static_cast<std::uint8_t>(std::min<std::size_t>(n.lanes.size(), 255))};
          },
          [](const OneOf<Lane, Reduce> auto& n) { return Type{n.vector.type().scalar}; },
      },
      node);
}

std::uint32_t depth_of(const ExprVariant& node) {
  std::uint32_t deepest = 0;
  for_each_operand(node,
                   [&](const Expr& operand) { deepest = std::max(deepest, operand.depth()); });
  return deepest + 1;
}

Expr literal(bool value) { return Literal{Scalar::boolean, value ? 1U : 0U}; }
Expr literal(std::uint32_t value) { return Literal{Scalar::u32, value}; }
Expr literal(std::int32_t value) { return Literal{Scalar::i32, static_cast<std::uint32_t>(value)}; }
Expr literal(std::uint64_t value) { return Literal{Scalar::u64, value}; }
Expr literal(std::int64_t value) { return Literal{Scalar::i64, static_cast<std::uint64_t>(value)}; }
Expr literal(float value) { return Literal{Scalar::f32, std::bit_cast<std::uint32_t>(value)}; }
Expr literal(double value) { return Literal{Scalar::f64, std::bit_cast<std::uint64_t>(value)}; }

}  // namespace vyre::ir
