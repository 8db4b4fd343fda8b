#include "vyre/base/hash.h"

#include <fmt/format.h>
#include <sodium.h>

namespace vyre {

Digest blake2b(std::span<const std::byte> bytes) {
  Digest digest;
  static_assert(sizeof(Digest) == crypto_generichash_BYTES);
  crypto_generichash(reinterpret_cast<unsigned char*>(digest.data()), digest.size(),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), nullptr,
                     0);
  return digest;
}

Digest blake2b(std::string_view text) { return blake2b(std::as_bytes(std::span(text))); }

std::string to_hex(const Digest& digest) {
  std::string hex;
  for (const std::byte b : digest) hex += fmt::format("{:02x}", std::to_integer<unsigned>(b));
  return hex;
}

}  // namespace vyre
