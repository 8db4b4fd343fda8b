#include "emit/operators.h"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <string>

#include "base/check.h"

namespace vyre::emit {
namespace {

struct Operator {
  std::string_view sign;
  Binding level;
};

Operator operator_of(ir::BinaryOp op) {
  using enum ir::BinaryOp;
  switch (op) {
    case add:
      return {"+", Binding::sum};
    case sub:
      return {"-", Binding::sum};
    case mul:
      return {"*", Binding::product};
    case div:
      return {"/", Binding::product};
    case rem:
      return {"%", Binding::product};
    case bit_and:
      return {"&", Binding::bit_and};
    case bit_or:
      return {"|", Binding::bit_or};
    case bit_xor:
      return {"^", Binding::bit_xor};
    case shl:
      return {"<<", Binding::shift};
    case shr:
      return {">>", Binding::shift};
    case eq:
      return {"==", Binding::equality};
    case ne:
      return {"!=", Binding::equality};
    case lt:
      return {"<", Binding::comparison};
    case le:
      return {"<=", Binding::comparison};
    case gt:
      return {">", Binding::comparison};
    case ge:
      return {">=", Binding::comparison};
    case min:
    case max:
      break;
  }
  check(false, "min and max are not operators");
  return {};
}

// How tightly an operand must bind to stand bare on either side.
Binding left_operand(Binding level, const Code& left) {
  if (level == Binding::sum || level == Binding::product) return level;
  if (level == Binding::comparison || level == Binding::equality) return Binding::sum;
  return level != Binding::shift && left.binding == level ? level : Binding::unary;
}

Binding right_operand(Binding level) {
  if (level == Binding::sum) return Binding::product;
  if (level == Binding::comparison || level == Binding::equality) return Binding::sum;
  return Binding::unary;
}

std::string with_point(const std::string& digits) {
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

}  // namespace

Code infix(ir::BinaryOp op, const Code& left, const Code& right) {
  const auto [sign, level] = operator_of(op);
  return {fmt::format("{} {} {}", left.at(left_operand(level, left)), sign,
                      right.at(right_operand(level))),
          level};
}

Code prefix(char op, const Code& operand) {
  const std::string text = operand.at(Binding::unary);
  return {text.front() == op ? fmt::format("{}({})", op, text) : op + text, Binding::unary};
}

Code number(Literal value) {
  const auto bits = static_cast<std::uint32_t>(value.bits);
  const auto signed_value = static_cast<std::int32_t>(bits);
  const auto binding = [](const std::string& text) {
    return Code{text, text.front() == '-' ? Binding::unary : Binding::primary};
  };
  switch (value.scalar) {
    case Scalar::boolean:
      return {bits != 0 ? "true" : "false"};
    case Scalar::u32:
      return {fmt::format("{}u", bits)};
    case Scalar::i32:
      // C has no negative literals, and the least i32 has no positive counterpart to negate.
      if (signed_value == std::numeric_limits<std::int32_t>::min()) return {"(-2147483647 - 1)"};
      return binding(fmt::format("{}", signed_value));
    case Scalar::f32:
      return binding(with_point(fmt::format("{}", std::bit_cast<float>(bits))) + "f");
    case Scalar::f64:
      return binding(with_point(fmt::format("{}", std::bit_cast<double>(value.bits))));
    case Scalar::unknown:
      break;
  }
  check(false, "a literal has a type");
  return {};
}

}  // namespace vyre::emit
