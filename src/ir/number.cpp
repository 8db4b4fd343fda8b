#include "ir/number.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "ir/words.h"

namespace vyre::ir {
namespace {

using Least = std::numeric_limits<std::int32_t>;

std::string text_of(const Number& n) {
  if (n.is_whole) return fmt::format("{}{}", n.is_negative ? "-" : "", n.magnitude);
  constexpr double written_out = 1e16;
  const bool plain = std::abs(n.real) < written_out && n.real == std::trunc(n.real);
  return plain ? fmt::format("{:.0f}", n.real) : fmt::format("{}", n.real);
}

bool is_integer_value(const Number& n) {
  return n.is_whole || (std::isfinite(n.real) && n.real == std::trunc(n.real));
}

// Nothing where it is further from 0 than any 32-bit integer.
std::optional<std::int64_t> integer_value(const Number& n) {
  constexpr double far = 1e12;
  if (!is_integer_value(n) || std::abs(n.real) > far) return std::nullopt;
  return static_cast<std::int64_t>(n.real);
}

bool holds(Scalar to, std::int64_t value) {
  if (to == Scalar::u32) return value >= 0 && value <= std::numeric_limits<std::uint32_t>::max();
  return value >= Least::min() && value <= Least::max();
}

std::string_view range_of(Scalar to) {
  return to == Scalar::u32 ? "0 to 4294967295" : "-2147483648 to 2147483647";
}

std::string not_an_integer(const Number& n, Scalar to, bool has_neighbour) {
  std::string text = fmt::format("{} is not {}", text_of(n), with_article(to));
  if (!is_integer_value(n)) {
    return text + (has_neighbour ? ": convert(Scalar::f32, ...) first" : ": write a whole number");
  }
  text += fmt::format(", which holds {}", range_of(to));
  const auto value = integer_value(n);
  if (has_neighbour && value && holds(Scalar::i32, *value)) {
    text += ": convert(Scalar::i32, ...) first";
  }
  return text;
}

Fitted as_integer(const Number& n, Scalar to, bool has_neighbour) {
  const auto value = integer_value(n);
  const bool fine = value && holds(to, *value);
  const auto bits = fine ? static_cast<std::uint32_t>(*value) : 0U;
  return {Literal{to, bits}, fine ? "" : not_an_integer(n, to, has_neighbour)};
}

Fitted as_bool(const Number& n) {
  if (n.real == 0 || n.real == 1) return {literal(n.real == 1), ""};
  return {literal(false), fmt::format("{} is not a bool: write true or false", text_of(n))};
}

template <class Float>
bool is_exact(const Number& n) {
  if (n.magnitude == 0) return true;
  return std::bit_width(n.magnitude >> static_cast<unsigned>(std::countr_zero(n.magnitude))) <=
         std::numeric_limits<Float>::digits;
}

// A decimal is exact only up to 2^53, which is far enough for one.
Fitted as_long(const Number& n, Scalar to) {
  constexpr double exact = 0x1p53;
  const bool is_whole = n.is_whole || (is_integer_value(n) && std::abs(n.real) <= exact);
  const bool is_negative = n.is_whole ? n.is_negative : n.real < 0;
  const std::uint64_t size =
      n.is_whole ? n.magnitude : static_cast<std::uint64_t>(is_whole ? std::abs(n.real) : 0);
  const std::uint64_t most =
      to == Scalar::u64 ? (is_negative ? 0 : ~0ULL) : (1ULL << 63U) - (is_negative ? 0 : 1);
  if (!is_whole || size > most) {
    return {Literal{to, 0}, fmt::format("{} is not {}", text_of(n), with_article(to))};
  }
  return {Literal{to, is_negative ? 0 - size : size}, ""};
}

template <class Float>
Fitted as_float(const Number& n, Scalar to) {
  const auto value = static_cast<Float>(n.real);
  std::string problem;
  if (n.is_whole && !is_exact<Float>(n)) {
    problem = fmt::format(", the nearest is {:.0f}: write that, or a decimal", value);
  } else if (std::isinf(value) && std::isfinite(n.real)) {
    problem = fmt::format(", which holds up to {}", std::numeric_limits<Float>::max());
  } else if (value == 0 && n.real != 0) {
    problem =
        fmt::format(", where the least above 0 is {}", std::numeric_limits<Float>::denorm_min());
  }
  if (problem.empty()) return {literal(value), ""};
  return {literal(Float{}), fmt::format("{} is not {}{}", text_of(n), with_article(to), problem)};
}

}  // namespace

Scalar own_type(const Number& number) {
  if (number.scalar != Scalar::i32 && number.scalar != Scalar::u32) return number.scalar;
  const Scalar other = number.scalar == Scalar::i32 ? Scalar::u32 : Scalar::i32;
  const auto value = integer_value(number);
  return value && !holds(number.scalar, *value) && holds(other, *value) ? other : number.scalar;
}

Fitted fitted(const Number& number, Scalar to, bool has_neighbour) {
  if (is_narrow(to)) {
    return {Literal{value_type(to), 0},
            fmt::format("{} is a type of buffer elements only: make it {}", name_of(to),
                        with_article(value_type(to)))};
  }
  switch (to) {
    case Scalar::boolean:
      return as_bool(number);
    case Scalar::f32:
      return as_float<float>(number, to);
    case Scalar::f64:
      return as_float<double>(number, to);
    case Scalar::u32:
    case Scalar::i32:
      return as_integer(number, to, has_neighbour);
    case Scalar::u64:
    case Scalar::i64:
      return as_long(number, to);
    default:
      return {Literal{}, ""};  // the operand beside it has a problem of its own
  }
}

}  // namespace vyre::ir
