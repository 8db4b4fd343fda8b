// The types of values and of buffer elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vyre::ir {

enum class Scalar : std::uint8_t {
  boolean,  // in a buffer: one byte, 0 or 1 (any other byte reads as true)
  u32,
  i32,      // two's complement
  f32,      // IEEE binary32
  f64,      // IEEE binary64; only where the device has it
  unknown,  // the type of a name that was not found; validation reports the name
};

// A scalar (one lane) or a vector of 2, 4, 8 or 16 lanes.
struct Type {
  Scalar scalar = Scalar::unknown;
  std::uint8_t lanes = 1;

  bool operator==(const Type&) const = default;
};

inline constexpr std::uint8_t max_lanes = 16;

[[nodiscard]] constexpr bool is_lane_count(std::uint64_t lanes) {
  return lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || lanes == 16;
}
[[nodiscard]] constexpr bool is_integer(Scalar s) { return s == Scalar::u32 || s == Scalar::i32; }
[[nodiscard]] constexpr bool is_float(Scalar s) { return s == Scalar::f32 || s == Scalar::f64; }
[[nodiscard]] constexpr bool is_number(Scalar s) { return is_integer(s) || is_float(s); }

// Bytes that one element takes in a buffer.
[[nodiscard]] std::size_t storage_bytes(Scalar scalar);

// "f32", "bool"; "f32x4" for vectors.
[[nodiscard]] std::string_view name_of(Scalar scalar);
[[nodiscard]] std::string to_string(Type type);
[[nodiscard]] std::optional<Scalar> scalar_named(std::string_view name);

}  // namespace vyre::ir
