// Python's numbers, as far as 64 bits go: integers and floats that mix, and what each operator
// gives.
//
// An integer result beyond 64 bits is an error that says so; nothing wraps and nothing turns into a
// float on the quiet. Division is Python's: `/` is the nearest float to the exact quotient, `//`
// rounds down, `%` has the sign of the divisor.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "vyre/base/expected.h"
#include "vyre/space/value.h"

namespace vyre::space {

struct Number {
  bool is_float = false;
  std::int64_t integer = 0;
  double real = 0;

  static Number of(std::int64_t value) { return {.integer = value}; }
  static Number of(double value) { return {.is_float = true, .real = value}; }
  [[nodiscard]] double as_float() const { return is_float ? real : static_cast<double>(integer); }
  [[nodiscard]] bool truth() const { return is_float ? real != 0 : integer != 0; }
};

// Why an operation has no result.
enum class Fault : std::uint8_t {
  none,
  too_large,       // an integer beyond 64 bits
  zero_division,   // / // % by zero, or zero to a negative power
  float_overflow,  // a power beyond the largest float, which Python refuses too
  complex,         // a negative number to a fraction
  wrong_types,     // what Python calls a TypeError
  too_long,        // a list or a string over the limits
  no_value,        // the least or greatest of nothing
};
[[nodiscard]] std::string_view to_string(Fault fault);

template <class T>
using Faulty = Expected<T, Fault>;

// Nothing for a string.
[[nodiscard]] std::optional<Number> to_number(const Value& value);

// The 64-bit integer that a float is exactly, if it is one.
[[nodiscard]] std::optional<std::int64_t> whole_number(double value);

// Exact, also between integers and floats; unordered with a nan.
[[nodiscard]] std::partial_ordering order(const Number& left, const Number& right);

[[nodiscard]] Faulty<Number> add(const Number& left, const Number& right);
[[nodiscard]] Faulty<Number> subtract(const Number& left, const Number& right);
[[nodiscard]] Faulty<Number> multiply(const Number& left, const Number& right);
[[nodiscard]] Faulty<Number> divide(const Number& left, const Number& right);
[[nodiscard]] Faulty<Number> floor_divide(const Number& left, const Number& right);
[[nodiscard]] Faulty<Number> modulo(const Number& left, const Number& right);
[[nodiscard]] Faulty<Number> power(const Number& base, const Number& exponent);
[[nodiscard]] Faulty<Number> negate(const Number& value);

// What the above are made of; the divisor is not zero, and not -1 for the least integer.
[[nodiscard]] inline std::int64_t floor_quotient(std::int64_t left, std::int64_t right) {
  const std::int64_t quotient = left / right;
  return quotient - static_cast<std::int64_t>(left % right != 0 && (left < 0) != (right < 0));
}
[[nodiscard]] inline std::int64_t floor_remainder(std::int64_t left, std::int64_t right) {
  const std::int64_t remainder = left % right;
  return remainder != 0 && (remainder < 0) != (right < 0) ? remainder + right : remainder;
}
[[nodiscard]] double true_quotient(std::int64_t left, std::int64_t right);
[[nodiscard]] double floor_quotient(double left, double right);
[[nodiscard]] double floor_remainder(double left, double right);
// Nothing beyond 64 bits; the exponent is not negative.
[[nodiscard]] std::optional<std::int64_t> integer_power(std::int64_t base, std::int64_t exponent);

}  // namespace vyre::space
