// The words of a launch: what scalars and buffers are made of, how large a launch is, and in which
// language its source is written. A device knows these and nothing of programs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "vyre/base/half.h"

namespace vyre {

enum class Scalar : std::uint8_t {
  boolean,  // in a buffer: one byte, 0 or 1 (any other byte reads as true)
  u32,
  i32,  // two's complement
  f32,  // IEEE binary32
  f64,  // IEEE binary64; only where the device has it
  u64,
  i64,  // two's complement
  // Narrow types: elements of buffers, never the type of a value. A load gives what `value_type`
  // says, a store takes that: integers keep the low bits, a float is rounded to the nearest f16.
  u8,
  i8,
  u16,
  i16,
  f16,      // IEEE binary16
  unknown,  // the type of a name that was not found; validation reports the name
};

// What indices, loops and atomics are made of.
[[nodiscard]] constexpr bool is_word(Scalar s) { return s == Scalar::u32 || s == Scalar::i32; }
[[nodiscard]] constexpr bool is_long(Scalar s) { return s == Scalar::u64 || s == Scalar::i64; }
[[nodiscard]] constexpr bool is_integer(Scalar s) { return is_word(s) || is_long(s); }
[[nodiscard]] constexpr bool is_float(Scalar s) { return s == Scalar::f32 || s == Scalar::f64; }
[[nodiscard]] constexpr bool is_number(Scalar s) { return is_integer(s) || is_float(s); }

// The type of the value that is loaded from such an element and stored to it.
[[nodiscard]] constexpr Scalar value_type(Scalar element) {
  if (element == Scalar::u8 || element == Scalar::u16) return Scalar::u32;
  if (element == Scalar::i8 || element == Scalar::i16) return Scalar::i32;
  return element == Scalar::f16 ? Scalar::f32 : element;
}
[[nodiscard]] constexpr bool is_narrow(Scalar s) { return value_type(s) != s; }

// Bytes that one element takes in a buffer.
[[nodiscard]] std::size_t storage_bytes(Scalar scalar);
// "f32", "bool".
[[nodiscard]] std::string_view name_of(Scalar scalar);
[[nodiscard]] std::optional<Scalar> scalar_named(std::string_view name);

// The scalar that a C++ number is on a device.
template <class T>
inline constexpr Scalar scalar_of = Scalar::unknown;
template <>
inline constexpr Scalar scalar_of<float> = Scalar::f32;
template <>
inline constexpr Scalar scalar_of<double> = Scalar::f64;
template <>
inline constexpr Scalar scalar_of<std::int32_t> = Scalar::i32;
template <>
inline constexpr Scalar scalar_of<std::uint32_t> = Scalar::u32;
template <>
inline constexpr Scalar scalar_of<std::int64_t> = Scalar::i64;
template <>
inline constexpr Scalar scalar_of<std::uint64_t> = Scalar::u64;
template <>
inline constexpr Scalar scalar_of<bool> = Scalar::boolean;
template <>
inline constexpr Scalar scalar_of<std::uint8_t> = Scalar::u8;
template <>
inline constexpr Scalar scalar_of<std::int8_t> = Scalar::i8;
template <>
inline constexpr Scalar scalar_of<std::uint16_t> = Scalar::u16;
template <>
inline constexpr Scalar scalar_of<std::int16_t> = Scalar::i16;
template <>
inline constexpr Scalar scalar_of<Half> = Scalar::f16;

// A scalar constant. `bits` is the value's representation, zero-extended: two's complement for
// integers, IEEE for floats, 0 or 1 for bool. Compared by bits: nan == nan, 0.0 != -0.0.
struct Literal {
  Scalar scalar = Scalar::u32;
  std::uint64_t bits = 0;
  bool operator==(const Literal&) const = default;
};

// What a kernel does with a buffer.
enum class Access : std::uint8_t { read, write, read_write };

using Extent = std::array<std::uint32_t, 3>;
inline constexpr Extent default_workgroup = {64, 1, 1};

// What a launch runs: the grid, and the whole workgroups that cover it.
struct Shape {
  Extent grid = {1, 1, 1};
  Extent groups = {1, 1, 1};
  Extent workgroup = default_workgroup;
  bool operator==(const Shape&) const = default;
};

enum class Language : std::uint8_t {
  // vyre's own text, which the reference device runs: the programs one after the other, each with
  // its fixed uniforms as defaults. A line that is `}` alone, without indentation, ends a program.
  vy,
  opencl_c,  // OpenCL C 1.2
  cuda_c,    // CUDA C++ for sm_75 and later; needs no headers
};

}  // namespace vyre
