// Signed fixed point with 16 bits after the point: the i32 `q` stands for q / 65536.
//
// Everything saturates at the ends of i32 and nothing wraps. Programs on a device compute the same
// bits as the functions here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace vyre {

inline constexpr std::int32_t fixed_one = 65536;

// The nearest i32.
[[nodiscard]] constexpr std::int32_t saturate(std::int64_t value) {
  constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp(value, least, most));
}

// The nearest fixed-point number, ties to even; nan gives 0.
[[nodiscard]] inline std::int32_t to_fixed(double value) {
  if (std::isnan(value)) return 0;
  constexpr double past = 4294967296.0;  // beyond both ends, and within i64
  return saturate(std::llrint(std::clamp(value * fixed_one, -past, past)));
}

[[nodiscard]] constexpr double from_fixed(std::int32_t fixed) {
  return static_cast<double>(fixed) / fixed_one;
}

// (a * b) >> 16 without loss: the exact product rounded down.
[[nodiscard]] constexpr std::int64_t fixed_product(std::int32_t a, std::int32_t b) {
  return (static_cast<std::int64_t>(a) * b) >> 16;
}

[[nodiscard]] constexpr std::int32_t fixed_multiply(std::int32_t a, std::int32_t b) {
  return saturate(fixed_product(a, b));
}

[[nodiscard]] constexpr std::int32_t fixed_subtract(std::int32_t a, std::int32_t b) {
  return saturate(static_cast<std::int64_t>(a) - b);
}

}  // namespace vyre
