// What each operation computes on one lane: the words beside the nodes in vyre/ir/expr.h as code.
//
// Every function is total: it has a value, and no undefined behaviour, for every operand. So the
// interpreter may compute it for invocations that are not active. A bool is a u32, 0 or 1.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace vyre::interpret::semantics {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using f32 = float;
using f64 = double;

static_assert(std::numeric_limits<f32>::is_iec559 && std::numeric_limits<f64>::is_iec559);

// Unsigned arithmetic wraps; the way back to the signed type is two's complement.
template <std::integral T>
constexpr std::make_unsigned_t<T> bits(T x) {
  return static_cast<std::make_unsigned_t<T>>(x);
}
template <std::integral T>
inline constexpr T width = std::numeric_limits<std::make_unsigned_t<T>>::digits;

template <class T>
constexpr T add(T a, T b) {
  if constexpr (std::integral<T>) return static_cast<T>(bits(a) + bits(b));
  return a + b;
}

template <class T>
constexpr T sub(T a, T b) {
  if constexpr (std::integral<T>) return static_cast<T>(bits(a) - bits(b));
  return a - b;
}

template <class T>
constexpr T mul(T a, T b) {
  if constexpr (std::integral<T>) return static_cast<T>(bits(a) * bits(b));
  return a * b;
}

template <std::unsigned_integral T>
constexpr T div(T a, T b) {
  return b == 0 ? 0 : a / b;
}
// Division by -1 is a negation, which wraps where the quotient does not exist.
template <std::signed_integral T>
constexpr T div(T a, T b) {
  if (b == -1) return sub(T{0}, a);
  return b == 0 ? 0 : a / b;
}
constexpr f32 div(f32 a, f32 b) { return a / b; }
constexpr f64 div(f64 a, f64 b) { return a / b; }

template <std::integral T>
constexpr T rem(T a, T b) {
  return sub(a, mul(div(a, b), b));
}

// The comparison is false where `a` is nan, which leaves `b`.
template <class T>
constexpr T min(T a, T b) {
  return a < b || b != b ? a : b;
}

template <class T>
constexpr T max(T a, T b) {
  return a > b || b != b ? a : b;
}

template <std::integral T>
constexpr T bit_and(T a, T b) {
  return a & b;
}

template <std::integral T>
constexpr T bit_or(T a, T b) {
  return a | b;
}

template <std::integral T>
constexpr T bit_xor(T a, T b) {
  return a ^ b;
}

template <std::integral T>
constexpr T shl(T a, T count) {
  return static_cast<T>(bits(a) << (bits(count) % bits(width<T>)));
}

template <std::integral T>
constexpr T shr(T a, T count) {
  return a >> (bits(count) % bits(width<T>));
}

template <class T>
constexpr u32 eq(T a, T b) {
  return a == b;
}

template <class T>
constexpr u32 ne(T a, T b) {
  return a != b;
}

template <class T>
constexpr u32 lt(T a, T b) {
  return a < b;
}

template <class T>
constexpr u32 le(T a, T b) {
  return a <= b;
}

template <class T>
constexpr u32 gt(T a, T b) {
  return a > b;
}

template <class T>
constexpr u32 ge(T a, T b) {
  return a >= b;
}

template <class T>
constexpr T neg(T a) {
  if constexpr (std::integral<T>) return sub(T{0}, a);
  return -a;
}

template <std::integral T>
constexpr T bit_not(T a) {
  return ~a;
}
constexpr u32 logical_not(u32 a) { return a ^ 1U; }

template <std::integral T>
constexpr T popcount(T a) {
  return static_cast<T>(std::popcount(bits(a)));
}

template <std::integral T>
constexpr T clz(T a) {
  return static_cast<T>(std::countl_zero(bits(a)));
}

template <std::unsigned_integral T>
constexpr T abs(T a) {
  return a;
}
template <std::signed_integral T>
constexpr T abs(T a) {
  return a < 0 ? neg(a) : a;
}
inline f32 abs(f32 a) { return std::fabs(a); }
inline f64 abs(f64 a) { return std::fabs(a); }

template <std::floating_point T>
T sqrt(T a) {
  return std::sqrt(a);
}

// In f64, so that rounding to f32 is right in all but the rarest cases.
template <std::floating_point T>
T exp(T a) {
  return static_cast<T>(std::exp(static_cast<f64>(a)));
}

template <std::floating_point T>
T log(T a) {
  return static_cast<T>(std::log(static_cast<f64>(a)));
}

template <std::floating_point T>
T sin(T a) {
  return static_cast<T>(std::sin(static_cast<f64>(a)));
}

template <std::floating_point T>
T cos(T a) {
  return static_cast<T>(std::cos(static_cast<f64>(a)));
}

template <std::floating_point T>
T tan(T a) {
  return static_cast<T>(std::tan(static_cast<f64>(a)));
}

template <std::floating_point T>
T tanh(T a) {
  return static_cast<T>(std::tanh(static_cast<f64>(a)));
}

template <std::floating_point T>
T rsqrt(T a) {
  return static_cast<T>(1.0 / std::sqrt(static_cast<f64>(a)));
}

template <std::floating_point T>
T exp2(T a) {
  return static_cast<T>(std::exp2(static_cast<f64>(a)));
}

template <std::floating_point T>
T log2(T a) {
  return static_cast<T>(std::log2(static_cast<f64>(a)));
}

template <std::floating_point T>
T floor(T a) {
  return std::floor(a);
}

template <std::floating_point T>
T ceil(T a) {
  return std::ceil(a);
}

template <std::floating_point T>
T round(T a) {
  return std::round(a);
}

// A signalling nan to the power of 0 is a nan in some libraries.
template <std::floating_point T>
T pow(T a, T b) {
  if (b == T{0}) return T{1};
  return static_cast<T>(std::pow(static_cast<f64>(a), static_cast<f64>(b)));
}

template <std::floating_point T>
T fma(T a, T b, T c) {
  return std::fma(a, b, c);
}

template <class T>
constexpr T select(u32 cond, T yes, T no) {
  return cond != 0 ? yes : no;
}

template <class T>
constexpr T same(T a) {
  return a;
}

template <class T>
constexpr u32 to_bool(T a) {
  return a != T{0};
}

// Truncates, saturates, nan gives 0. The limits are powers of two, hence exact in both types.
template <std::integral To, std::floating_point From>
constexpr To saturate(From a) {
  constexpr auto least = static_cast<From>(std::numeric_limits<To>::min());
  constexpr auto beyond = static_cast<From>(std::numeric_limits<To>::max() / 2 + 1) * From{2};
  if (a >= beyond) return std::numeric_limits<To>::max();
  if (a > least) return static_cast<To>(a);
  return a <= least ? std::numeric_limits<To>::min() : To{0};
}

template <class To, class From>
constexpr To convert(From a) {
  if constexpr (std::integral<To> && std::floating_point<From>) return saturate<To>(a);
  return static_cast<To>(a);
}

template <class To, class From>
constexpr To bitcast(From a) {
  return std::bit_cast<To>(a);
}

}  // namespace vyre::interpret::semantics
