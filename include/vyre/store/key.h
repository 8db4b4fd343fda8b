// What a decision is about, and the key under which it is kept.
//
// A Dispatch is a program with the sizes that it is launched with. Its key is the same on every
// machine: "v1-" and the 64 hexadecimal digits of BLAKE2b-256 over "vyre decision v1\0" and the
// fields, each after its name and a zero byte:
//
//   program    32 bytes
//   workgroup  3 x u32, little endian
//   groups     one byte, 1 if known, else 0; then 3 x u32, zeros if not known
//   output     u64
//   input      u64, left out if it is 0
//
// Without the last, sizes that only what is read depends on would share a key, such as the inner
// one of a product of matrices.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vyre/base/hash.h"

namespace vyre::store {

using Size = std::array<std::uint32_t, 3>;

struct Dispatch {
  Digest program = {};          // ir::fingerprint, or a hash of the source
  Size workgroup = {64, 1, 1};  // as the program has it, before it is tuned
  std::optional<Size> groups;   // how many of them, where that is known
  std::uint64_t output_bytes = 0;
  std::uint64_t input_bytes = 0;

  bool operator==(const Dispatch&) const = default;
};

struct Key {
  Digest digest = {};

  auto operator<=>(const Key&) const = default;
};

[[nodiscard]] Key key_of(const Dispatch& dispatch);
[[nodiscard]] std::string to_string(const Key& key);
// Nothing if it is not exactly a key of this version.
[[nodiscard]] std::optional<Key> parse_key(std::string_view text);

// Exactly 64 lower-case hexadecimal digits.
[[nodiscard]] std::optional<Digest> parse_digest(std::string_view hex);

// How far apart two dispatches of one program are: the sum of the differences of the logarithms of
// their sizes. 0 for equal sizes.
[[nodiscard]] double distance(const Dispatch& left, const Dispatch& right);

}  // namespace vyre::store
