// 256-bit digests (BLAKE2b by libsodium) for fingerprints, adapter names and keys.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace vyre {

using Digest = std::array<std::byte, 32>;

[[nodiscard]] Digest blake2b(std::span<const std::byte> bytes);
[[nodiscard]] Digest blake2b(std::string_view text);

// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string to_hex(const Digest& digest);

}  // namespace vyre
