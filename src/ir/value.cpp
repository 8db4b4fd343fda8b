#include "vyre/ir/value.h"

#include <fmt/format.h>

#include <array>

#include "ir/number.h"
#include "ir/origin.h"

namespace vyre::ir {
namespace {

Value id(IdKind kind, std::uint8_t dim) { return Expr(Id{kind, dim}); }

// The operands of an operation on values of one type.
template <class... Values>
std::array<Expr, sizeof...(Values)> alike(Operands& operands, const Values&... values) {
  const std::array<const Value*, sizeof...(Values)> all = {&values...};
  const Type type = common_type(all);
  return {operands.take(values, type, true)...};
}

void need_bool(Operands& operands, std::string_view sign, const Expr& operand,
               std::string_view instead) {
  const Type type = operand.type();
  if (type.scalar == Scalar::boolean || type.scalar == Scalar::unknown) return;
  operands.mistake(fmt::format("'{}' takes bool, not {}: {}", sign, to_string(type), instead));
}

Value logical(BinaryOp op, std::string_view sign, const Value& a, const Value& b) {
  Operands operands;
  Expr left = operands.take(a);
  Expr right = operands.take(b);
  for (const Expr* side : {&left, &right}) need_bool(operands, sign, *side, "compare with 0 first");
  return std::move(operands).made(Binary{op, std::move(left), std::move(right)});
}

Value reduce(BinaryOp op, const Value& vector) {
  Operands operands;
  Expr whole = operands.take(vector);
  return std::move(operands).made(Reduce{op, std::move(whole)});
}

}  // namespace

Value::Value(const Number& number, SourceLocation at)
    : expr_(fitted(number, own_type(number), false).literal),
      origin_(std::make_shared<const Origin>(number, at)) {}

Value Value::lane(std::uint8_t index) const {
  Operands operands;
  Expr whole = operands.take(*this);
  return std::move(operands).made(Lane{std::move(whole), index});
}

Value constant(double value, Type type, SourceLocation at) {
  Operands operands;
  Expr made = operands.take(Value(value, at), type, false);
  return std::move(operands).made(std::move(made));
}
Value constant(bool value) { return literal(value); }
Value constant(std::uint32_t value) { return literal(value); }
Value constant(std::int32_t value) { return literal(value); }
Value constant(std::uint64_t value) { return literal(value); }
Value constant(std::int64_t value) { return literal(value); }
Value constant(float value) { return literal(value); }
Value constant(double value) { return literal(value); }

Value binary(BinaryOp op, const Value& a, const Value& b) {
  Operands operands;
  auto [left, right] = alike(operands, a, b);
  return std::move(operands).made(Binary{op, std::move(left), std::move(right)});
}
Value unary(UnaryOp op, const Value& a) {
  Operands operands;
  Expr arg = operands.take(a);
  return std::move(operands).made(Unary{op, std::move(arg)});
}

Value operator+(const Value& a, const Value& b) { return binary(BinaryOp::add, a, b); }
Value operator-(const Value& a, const Value& b) { return binary(BinaryOp::sub, a, b); }
Value operator*(const Value& a, const Value& b) { return binary(BinaryOp::mul, a, b); }
Value operator/(const Value& a, const Value& b) { return binary(BinaryOp::div, a, b); }
Value operator%(const Value& a, const Value& b) { return binary(BinaryOp::rem, a, b); }
Value operator&(const Value& a, const Value& b) { return binary(BinaryOp::bit_and, a, b); }
Value operator|(const Value& a, const Value& b) { return binary(BinaryOp::bit_or, a, b); }
Value operator^(const Value& a, const Value& b) { return binary(BinaryOp::bit_xor, a, b); }
Value operator<<(const Value& a, const Value& b) { return binary(BinaryOp::shl, a, b); }
Value operator>>(const Value& a, const Value& b) { return binary(BinaryOp::shr, a, b); }
Value operator==(const Value& a, const Value& b) { return binary(BinaryOp::eq, a, b); }
Value operator!=(const Value& a, const Value& b) { return binary(BinaryOp::ne, a, b); }
Value operator<(const Value& a, const Value& b) { return binary(BinaryOp::lt, a, b); }
Value operator<=(const Value& a, const Value& b) { return binary(BinaryOp::le, a, b); }
Value operator>(const Value& a, const Value& b) { return binary(BinaryOp::gt, a, b); }
Value operator>=(const Value& a, const Value& b) { return binary(BinaryOp::ge, a, b); }
Value min(const Value& a, const Value& b) { return binary(BinaryOp::min, a, b); }
Value max(const Value& a, const Value& b) { return binary(BinaryOp::max, a, b); }
Value pow(const Value& a, const Value& b) { return binary(BinaryOp::pow, a, b); }

Value operator&&(const Value& a, const Value& b) { return logical(BinaryOp::bit_and, "&&", a, b); }
Value operator||(const Value& a, const Value& b) { return logical(BinaryOp::bit_or, "||", a, b); }
Value operator!(const Value& a) {
  Operands operands;
  Expr arg = operands.take(a);
  need_bool(operands, "!", arg, "compare with 0, or write ~ for the bits");
  return std::move(operands).made(Unary{UnaryOp::bit_not, std::move(arg)});
}

Value operator+(const Value& a) { return a; }
Value operator-(const Value& a) { return unary(UnaryOp::neg, a); }
Value operator~(const Value& a) { return unary(UnaryOp::bit_not, a); }
Value abs(const Value& a) { return unary(UnaryOp::abs, a); }
Value sqrt(const Value& a) { return unary(UnaryOp::sqrt, a); }
Value exp(const Value& a) { return unary(UnaryOp::exp, a); }
Value log(const Value& a) { return unary(UnaryOp::log, a); }
Value sin(const Value& a) { return unary(UnaryOp::sin, a); }
Value cos(const Value& a) { return unary(UnaryOp::cos, a); }
Value tan(const Value& a) { return unary(UnaryOp::tan, a); }
Value tanh(const Value& a) { return unary(UnaryOp::tanh, a); }
Value rsqrt(const Value& a) { return unary(UnaryOp::rsqrt, a); }
Value exp2(const Value& a) { return unary(UnaryOp::exp2, a); }
Value log2(const Value& a) { return unary(UnaryOp::log2, a); }
Value floor(const Value& a) { return unary(UnaryOp::floor, a); }
Value ceil(const Value& a) { return unary(UnaryOp::ceil, a); }
Value round(const Value& a) { return unary(UnaryOp::round, a); }
Value popcount(const Value& a) { return unary(UnaryOp::popcount, a); }
Value clz(const Value& a) { return unary(UnaryOp::clz, a); }

Value fma(const Value& a, const Value& b, const Value& c) {
  Operands operands;
  auto [x, y, z] = alike(operands, a, b, c);
  return std::move(operands).made(Fma{std::move(x), std::move(y), std::move(z)});
}

// Numbers on both sides have as many lanes as the condition.
Value select(const Value& cond, const Value& yes, const Value& no) {
  Operands operands;
  Expr test = operands.take(cond);
  const std::array<const Value*, 2> sides = {&yes, &no};
  Type type = common_type(sides);
  if (is_cpp_number(yes) && is_cpp_number(no)) type.lanes = test.type().lanes;
  Expr left = operands.take(yes, type, true);
  Expr right = operands.take(no, type, true);
  return std::move(operands).made(Select{std::move(test), std::move(left), std::move(right)});
}

Value convert(Scalar to, const Value& a) {
  Operands operands;
  Expr arg = operands.take(a);
  return std::move(operands).made(Convert{to, std::move(arg)});
}
Value bitcast(Scalar to, const Value& a) {
  Operands operands;
  Expr arg = operands.take(a);
  return std::move(operands).made(Bitcast{to, std::move(arg)});
}
Value splat(std::uint8_t lanes, const Value& a) {
  Operands operands;
  Expr arg = operands.take(a);
  return std::move(operands).made(Splat{lanes, std::move(arg)});
}
Value vector(const std::vector<Value>& lanes) {
  std::vector<const Value*> all;
  for (const Value& lane : lanes) all.push_back(&lane);
  const Type type{common_type(all).scalar};
  Operands operands;
  Vector made;
  for (const Value& lane : lanes) made.lanes.push_back(operands.take(lane, type, true));
  return std::move(operands).made(std::move(made));
}

Value sum(const Value& vector) { return reduce(BinaryOp::add, vector); }
Value min(const Value& vector) { return reduce(BinaryOp::min, vector); }
Value max(const Value& vector) { return reduce(BinaryOp::max, vector); }
Value any(const Value& vector) { return reduce(BinaryOp::bit_or, vector); }
Value all(const Value& vector) { return reduce(BinaryOp::bit_and, vector); }

Value invocation(std::uint8_t dim) { return id(IdKind::invocation, dim); }
Value local(std::uint8_t dim) { return id(IdKind::local, dim); }
Value group(std::uint8_t dim) { return id(IdKind::group, dim); }
Value workgroup(std::uint8_t dim) { return id(IdKind::workgroup, dim); }
Value groups(std::uint8_t dim) { return id(IdKind::groups, dim); }
Value grid(std::uint8_t dim) { return id(IdKind::grid, dim); }

}  // namespace vyre::ir
