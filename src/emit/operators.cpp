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
  Precedence level;
};

Operator operator_of(ir::BinaryOp op) {
  using enum ir::BinaryOp;
  switch (op) {
    case add:
      return {"+", Precedence::additive};
    case sub:
      return {"-", Precedence::additive};
    case mul:
      return {"*", Precedence::multiplicative};
    case div:
      return {"/", Precedence::multiplicative};
    case rem:
      return {"%", Precedence::multiplicative};
    case bit_and:
      return {"&", Precedence::bit_and};
    case bit_or:
      return {"|", Precedence::bit_or};
    case bit_xor:
      return {"^", Precedence::bit_xor};
    case shl:
      return {"<<", Precedence::shift};
    case shr:
      return {">>", Precedence::shift};
    case eq:
      return {"==", Precedence::equality};
    case ne:
      return {"!=", Precedence::equality};
    case lt:
      return {"<", Precedence::comparison};
    case le:
      return {"<=", Precedence::comparison};
    case gt:
      return {">", Precedence::comparison};
    case ge:
      return {">=", Precedence::comparison};
    case min:
    case max:
    case pow:
      break;
  }
  check(false, "min, max and pow are not operators");
  return {};
}

// How tightly an operand must bind to stand bare on either side.
Precedence left_operand(Precedence level, const Code& left) {
  if (level == Precedence::additive || level == Precedence::multiplicative) return level;
  if (level == Precedence::comparison || level == Precedence::equality) return Precedence::additive;
  return level != Precedence::shift && left.precedence == level ? level : Precedence::unary;
}

Precedence right_operand(Precedence level) {
  if (level == Precedence::additive) return Precedence::multiplicative;
  if (level == Precedence::comparison || level == Precedence::equality) return Precedence::additive;
  return Precedence::unary;
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
  const std::string text = operand.at(Precedence::unary);
  return {text.front() == op ? fmt::format("{}({})", op, text) : op + text, Precedence::unary};
}

Code number(Literal value, std::string_view long_suffix) {
  const auto bits = static_cast<std::uint32_t>(value.bits);
  const auto signed_value = static_cast<std::int32_t>(bits);
  const auto maybe_negative = [](const std::string& text) {
    return Code{text, text.front() == '-' ? Precedence::unary : Precedence::primary};
  };
  switch (value.scalar) {
    case Scalar::boolean:
      return {bits != 0 ? "true" : "false"};
    case Scalar::u32:
      return {fmt::format("{}u", bits)};
    case Scalar::i32:
      // C has no negative literals, and the least i32 has no positive counterpart to negate.
      if (signed_value == std::numeric_limits<std::int32_t>::min()) return {"(-2147483647 - 1)"};
      return maybe_negative(fmt::format("{}", signed_value));
    case Scalar::u64:
      return {fmt::format("{}u{}", value.bits, long_suffix)};
    case Scalar::i64: {
      const auto wide = static_cast<std::int64_t>(value.bits);
      if (wide != std::numeric_limits<std::int64_t>::min()) {
        return maybe_negative(fmt::format("{}{}", wide, long_suffix));
      }
      return {fmt::format("(-9223372036854775807{0} - 1{0})", long_suffix)};
    }
    case Scalar::f32:
      return maybe_negative(with_point(fmt::format("{}", std::bit_cast<float>(bits))) + "f");
    case Scalar::f64:
      return maybe_negative(with_point(fmt::format("{}", std::bit_cast<double>(value.bits))));
    default:
      break;
  }
  check(false, "a literal has a type");
  return {};
}

}  // namespace vyre::emit
