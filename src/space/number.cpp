#include "space/number.h"

#include <bit>
#include <cmath>
#include <limits>

namespace vyre::space {
namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr double two_to_63 = 9223372036854775808.0;
constexpr std::int64_t exact_in_double = std::int64_t{1} << 53;

std::uint64_t magnitude(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? ~bits + 1 : bits;
}

bool is_small(std::int64_t value) { return -exact_in_double <= value && value <= exact_in_double; }

// An integer against a float: the float's floor is compared, then what is left of it.
std::partial_ordering order(std::int64_t left, double right) {
  if (std::isnan(right)) return std::partial_ordering::unordered;
  if (right >= two_to_63) return std::partial_ordering::less;
  if (right < -two_to_63) return std::partial_ordering::greater;
  const double down = std::floor(right);
  const auto whole = static_cast<std::int64_t>(down);
  if (left != whole) return left <=> whole;
  return down < right ? std::partial_ordering::less : std::partial_ordering::equivalent;
}

Faulty<Number> float_power(double base, double exponent) {
  if (base == 0 && exponent < 0) return Unexpected(Fault::zero_division);
  if (base < 0 && std::isfinite(base) && std::isfinite(exponent) &&
      exponent != std::floor(exponent)) {
    return Unexpected(Fault::complex);
  }
  const double result = std::pow(base, exponent);
  if (std::isinf(result) && std::isfinite(base) && std::isfinite(exponent)) {
    return Unexpected(Fault::float_overflow);
  }
  return Number::of(result);
}

template <class Integers, class Floats>
Faulty<Number> either(const Number& left, const Number& right, Integers integers, Floats floats) {
  if (left.is_float || right.is_float) {
    return Number::of(floats(left.as_float(), right.as_float()));
  }
  std::int64_t result = 0;
  if (integers(left.integer, right.integer, &result)) return Unexpected(Fault::too_large);
  return Number::of(result);
}

bool is_zero(const Number& value) { return !value.truth(); }

}  // namespace

std::string_view to_string(Fault fault) {
  switch (fault) {
    case Fault::none:
      return "no fault";
    case Fault::too_large:
      return "an integer is beyond 64 bits";
    case Fault::zero_division:
      return "division by zero";
    case Fault::float_overflow:
      return "a power is beyond the largest float";
    case Fault::complex:
      return "a negative number to a fractional power is not real";
    case Fault::wrong_types:
      return "the operation is not defined for these types";
    case Fault::too_long:
      return "a list or a string is too long";
    case Fault::no_value:
      return "the least or greatest of nothing";
  }
  return "";
}

std::optional<Number> to_number(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return Number::of(*integer);
  if (const auto* real = std::get_if<double>(&value)) return Number::of(*real);
  if (const auto* truth = std::get_if<bool>(&value)) return Number::of(std::int64_t{*truth});
  return std::nullopt;
}

std::optional<std::int64_t> whole_number(double value) {
  if (!(value >= -two_to_63 && value < two_to_63) || value != std::floor(value)) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

std::partial_ordering order(const Number& left, const Number& right) {
  if (left.is_float && right.is_float) return left.real <=> right.real;
  if (!left.is_float && !right.is_float) return left.integer <=> right.integer;
  if (!left.is_float) return order(left.integer, right.real);
  return 0 <=> order(right.integer, left.real);
}

Faulty<Number> add(const Number& left, const Number& right) {
  return either(
      left, right,
      [](auto a, auto b, auto* result) { return __builtin_add_overflow(a, b, result); },
      [](double a, double b) { return a + b; });
}

Faulty<Number> subtract(const Number& left, const Number& right) {
  return either(
      left, right,
      [](auto a, auto b, auto* result) { return __builtin_sub_overflow(a, b, result); },
      [](double a, double b) { return a - b; });
}

Faulty<Number> multiply(const Number& left, const Number& right) {
  return either(
      left, right,
      [](auto a, auto b, auto* result) { return __builtin_mul_overflow(a, b, result); },
      [](double a, double b) { return a * b; });
}

Faulty<Number> divide(const Number& left, const Number& right) {
  if (is_zero(right)) return Unexpected(Fault::zero_division);
  if (left.is_float || right.is_float) return Number::of(left.as_float() / right.as_float());
  return Number::of(true_quotient(left.integer, right.integer));
}

Faulty<Number> floor_divide(const Number& left, const Number& right) {
  if (is_zero(right)) return Unexpected(Fault::zero_division);
  if (left.is_float || right.is_float) {
    return Number::of(floor_quotient(left.as_float(), right.as_float()));
  }
  if (left.integer == least && right.integer == -1) return Unexpected(Fault::too_large);
  return Number::of(floor_quotient(left.integer, right.integer));
}

Faulty<Number> modulo(const Number& left, const Number& right) {
  if (is_zero(right)) return Unexpected(Fault::zero_division);
  if (left.is_float || right.is_float) {
    return Number::of(floor_remainder(left.as_float(), right.as_float()));
  }
  if (right.integer == -1) return Number::of(std::int64_t{0});
  return Number::of(floor_remainder(left.integer, right.integer));
}

Faulty<Number> power(const Number& base, const Number& exponent) {
  if (base.is_float || exponent.is_float || exponent.integer < 0) {
    return float_power(base.as_float(), exponent.as_float());
  }
  const auto result = integer_power(base.integer, exponent.integer);
  if (!result) return Unexpected(Fault::too_large);
  return Number::of(*result);
}

Faulty<Number> negate(const Number& value) {
  if (value.is_float) return Number::of(-value.real);
  return subtract(Number::of(std::int64_t{0}), value);
}

// The nearest float to the exact quotient. Beyond 53 bits the operands are not floats themselves,
// so the quotient is taken with 64 bits or more, its last bit set if anything is left over.
double true_quotient(std::int64_t left, std::int64_t right) {
  if (is_small(left) && is_small(right)) {
    return static_cast<double>(left) / static_cast<double>(right);
  }
  if (left == 0) return 0;
  __extension__ typedef unsigned __int128 Wide;
  const std::uint64_t top = magnitude(left);
  const std::uint64_t bottom = magnitude(right);
  const int shift = 64 + std::countl_zero(top);
  const Wide shifted = static_cast<Wide>(top) << shift;
  const Wide quotient = shifted / bottom | static_cast<Wide>(shifted % bottom != 0);
  const double result = std::ldexp(static_cast<double>(quotient), -shift);
  return (left < 0) != (right < 0) ? -result : result;
}

double floor_remainder(double left, double right) {
  const double remainder = std::fmod(left, right);
  if (remainder == 0) return std::copysign(0.0, right);
  return (remainder < 0) != (right < 0) ? remainder + right : remainder;
}

// Through the remainder, because floor(left / right) is one too many where the quotient rounds up.
double floor_quotient(double left, double right) {
  const double remainder = std::fmod(left, right);
  double quotient = (left - remainder) / right;
  if (remainder != 0 && (remainder < 0) != (right < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, left / right);
  const double down = std::floor(quotient);
  return quotient - down > 0.5 ? down + 1 : down;
}

std::optional<std::int64_t> integer_power(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  while (true) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) return std::nullopt;
    exponent >>= 1;
    if (exponent == 0) return result;
    if (__builtin_mul_overflow(base, base, &base)) return std::nullopt;
  }
}

}  // namespace vyre::space
