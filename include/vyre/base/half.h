// IEEE binary16 on the host, as buffers of f16 hold it.
//
//   std::vector<vyre::Half> weights = {0.5F, -2.0F};   // rounded to the nearest, ties to even
//   float w = weights[0];                              // exact
//
// What is too large becomes an infinity, a nan stays one, subnormals are kept. Arithmetic is that
// of float: a Half only stores.
#pragma once

#include <bit>
#include <cstdint>

namespace vyre {

class Half {
 public:
  constexpr Half() = default;
  constexpr Half(float value) : bits_(rounded(value)) {}       // NOLINT: a float is stored as it is
  constexpr operator float() const { return widened(bits_); }  // NOLINT: and read

  [[nodiscard]] static constexpr Half from_bits(std::uint16_t bits) {
    Half made;
    made.bits_ = bits;
    return made;
  }
  [[nodiscard]] constexpr std::uint16_t bits() const { return bits_; }

 private:
  static constexpr std::uint16_t rounded(float value) {
    constexpr std::uint32_t infinite = 0x7f800000;
    constexpr std::uint32_t overflows = 0x477ff000;  // 65520: half way to what would come next
    constexpr std::uint32_t normal = 0x38800000;     // 2^-14
    constexpr std::uint32_t bias = 0x38000000;       // of the exponents, 127 - 15
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16U & 0x8000U;
    const std::uint32_t size = bits & 0x7fffffffU;
    std::uint32_t half = 0;
    if (size > infinite) {
      half = 0x7e00;
    } else if (size >= overflows) {
      half = 0x7c00;
    } else if (size >= normal) {
      half = (size - bias + 0xfffU + (size >> 13U & 1U)) >> 13U;
    } else {  // the last place of 0.5 is the least f16, so the addition rounds
      half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5F) - 0x3f000000U;
    }
    return static_cast<std::uint16_t>(sign | half);
  }

  static constexpr float widened(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000U) << 16U;
    const std::uint32_t size = bits & 0x7fffU;
    if (size >= 0x7c00U) return std::bit_cast<float>(sign | 0x7f800000U | (size & 0x3ffU) << 13U);
    // As an exponent of float, which is 112 larger; a multiplication does that for subnormals too.
    return std::bit_cast<float>(sign | size << 13U) * 0x1p112F;
  }

  std::uint16_t bits_ = 0;
};

}  // namespace vyre
