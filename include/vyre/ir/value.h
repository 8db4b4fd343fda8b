// Values of a program under construction: expressions with the operators of the language.
//
//   const Value y = select(x < 0, -x, fma(x, x, 1.0F));
//
// A C++ number may stand wherever a Value may. It takes the type of the operands beside it: x * 2 +
// 1 is f32 where x is. Alone it has its own: int is i32, unsigned u32, float f32, double f64, bool
// bool. A number that its type cannot hold is a problem, which Builder::finish() reports with the
// line in C++: 0.5, -1 and 5e9 beside a u32, 1e300 or 16777217 beside an f32. A decimal that rounds
// to the nearest float is none. Mistakes in types are left to finish() as well.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "vyre/base/source_location.h"
#include "vyre/ir/expr.h"

namespace vyre::ir {

template <class T>
concept CppNumber = std::is_floating_point_v<T> || (std::is_integral_v<T> && sizeof(T) <= 8);

// A C++ number, exactly.
struct Number {
  template <CppNumber T>
  explicit constexpr Number(T value)
      : real(static_cast<double>(value)), is_whole(std::is_integral_v<T>) {
    if constexpr (std::is_same_v<T, bool>) {
      scalar = Scalar::boolean;
      magnitude = value ? 1 : 0;
    } else if constexpr (std::is_integral_v<T>) {
      scalar = std::is_signed_v<T> ? Scalar::i32 : Scalar::u32;
      is_negative = value < T{};
      magnitude =
          is_negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    } else {
      scalar = std::is_same_v<T, float> ? Scalar::f32 : Scalar::f64;
    }
  }

  Scalar scalar = Scalar::unknown;  // its type alone
  double real;                      // its value; rounded for integers above 2^53
  std::uint64_t magnitude = 0;      // of an integer type's, exact
  bool is_whole;                    // of an integer type or bool
  bool is_negative = false;
};

// What a Value knows besides its expression; internal.
struct Origin;

// An expression with the operators of the language. == compares at run time of the program; to
// compare expressions in C++ compare expr().
class Value {
 public:
  Value(Expr expr) : expr_(std::move(expr)) {}  // NOLINT(google-explicit-constructor)
  template <CppNumber T>
  Value(T number, SourceLocation at = SourceLocation::here())  // NOLINT: a number is a Value
      : Value(Number(number), at) {}

  // The value is not known while the program is built: branch with Builder::when or select().
  explicit operator bool() const = delete;

  [[nodiscard]] const Expr& expr() const { return expr_; }
  [[nodiscard]] Value lane(std::uint8_t index) const;

 private:
  friend struct Origin;
  Value(const Number& number, SourceLocation at);

  Expr expr_;
  std::shared_ptr<const Origin> origin_;  // null where there is nothing to know
};

// A literal of this type, whatever stands beside it; splatted to the type's lanes.
[[nodiscard]] Value constant(double value, Type type, SourceLocation at = SourceLocation::here());
[[nodiscard]] Value constant(bool value);
[[nodiscard]] Value constant(std::uint32_t value);
[[nodiscard]] Value constant(std::int32_t value);
[[nodiscard]] Value constant(std::uint64_t value);
[[nodiscard]] Value constant(std::int64_t value);
[[nodiscard]] Value constant(float value);
[[nodiscard]] Value constant(double value);

[[nodiscard]] Value binary(BinaryOp op, const Value& a, const Value& b);
[[nodiscard]] Value unary(UnaryOp op, const Value& a);

[[nodiscard]] Value operator+(const Value& a, const Value& b);
[[nodiscard]] Value operator-(const Value& a, const Value& b);
[[nodiscard]] Value operator*(const Value& a, const Value& b);
[[nodiscard]] Value operator/(const Value& a, const Value& b);
[[nodiscard]] Value operator%(const Value& a, const Value& b);
[[nodiscard]] Value operator&(const Value& a, const Value& b);
[[nodiscard]] Value operator|(const Value& a, const Value& b);
[[nodiscard]] Value operator^(const Value& a, const Value& b);
[[nodiscard]] Value operator<<(const Value& a, const Value& b);
[[nodiscard]] Value operator>>(const Value& a, const Value& b);
[[nodiscard]] Value operator==(const Value& a, const Value& b);
[[nodiscard]] Value operator!=(const Value& a, const Value& b);
[[nodiscard]] Value operator<(const Value& a, const Value& b);
[[nodiscard]] Value operator<=(const Value& a, const Value& b);
[[nodiscard]] Value operator>(const Value& a, const Value& b);
[[nodiscard]] Value operator>=(const Value& a, const Value& b);
[[nodiscard]] Value min(const Value& a, const Value& b);
[[nodiscard]] Value max(const Value& a, const Value& b);
[[nodiscard]] Value pow(const Value& a, const Value& b);

// On bool only. Both sides are evaluated: what must not be read where the left side is false goes
// into a Builder::when.
[[nodiscard]] Value operator&&(const Value& a, const Value& b);
[[nodiscard]] Value operator||(const Value& a, const Value& b);
[[nodiscard]] Value operator!(const Value& a);

[[nodiscard]] Value operator+(const Value& a);
[[nodiscard]] Value operator-(const Value& a);
[[nodiscard]] Value operator~(const Value& a);
[[nodiscard]] Value abs(const Value& a);
[[nodiscard]] Value sqrt(const Value& a);
[[nodiscard]] Value exp(const Value& a);
[[nodiscard]] Value log(const Value& a);
[[nodiscard]] Value sin(const Value& a);
[[nodiscard]] Value cos(const Value& a);
[[nodiscard]] Value tan(const Value& a);
[[nodiscard]] Value tanh(const Value& a);
[[nodiscard]] Value rsqrt(const Value& a);
[[nodiscard]] Value exp2(const Value& a);
[[nodiscard]] Value log2(const Value& a);
[[nodiscard]] Value floor(const Value& a);
[[nodiscard]] Value ceil(const Value& a);
[[nodiscard]] Value round(const Value& a);
[[nodiscard]] Value popcount(const Value& a);
[[nodiscard]] Value clz(const Value& a);
[[nodiscard]] Value fma(const Value& a, const Value& b, const Value& c);
[[nodiscard]] Value select(const Value& cond, const Value& yes, const Value& no);
[[nodiscard]] Value convert(Scalar to, const Value& a);
[[nodiscard]] Value bitcast(Scalar to, const Value& a);
[[nodiscard]] Value splat(std::uint8_t lanes, const Value& a);
[[nodiscard]] Value vector(const std::vector<Value>& lanes);

// Over the lanes of a vector, in the order of ir::Reduce.
[[nodiscard]] Value sum(const Value& vector);
[[nodiscard]] Value min(const Value& vector);
[[nodiscard]] Value max(const Value& vector);
[[nodiscard]] Value any(const Value& vector);  // of bools, as the next
[[nodiscard]] Value all(const Value& vector);

[[nodiscard]] Value invocation(std::uint8_t dim);
[[nodiscard]] Value local(std::uint8_t dim);
[[nodiscard]] Value group(std::uint8_t dim);
[[nodiscard]] Value workgroup(std::uint8_t dim);
[[nodiscard]] Value groups(std::uint8_t dim);
[[nodiscard]] Value grid(std::uint8_t dim);

}  // namespace vyre::ir
