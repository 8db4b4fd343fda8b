// What became of one block of a batch of matrices that were inverted.
#pragma once

#include <cstdint>
#include <string_view>

namespace vyre::primitives {

enum class BlockState : std::uint8_t {
  good,
  indefinite,       // inverted, but not positive definite
  asymmetric,       // inverted, but not symmetric
  ill_conditioned,  // inverted, but most digits are lost: a condition number above 1e5
  singular,         // no inverse: zeros were written
  not_finite,       // the block holds nan or infinity: zeros were written
};
[[nodiscard]] std::string_view name_of(BlockState state);

// A block that is not good.
struct BlockReport {
  std::uint32_t index = 0;
  BlockState state = BlockState::good;
  float condition = 0;  // |A| |A^-1| in the row-sum norm, A with damping; infinite without inverse
  bool operator==(const BlockReport&) const = default;
};

}  // namespace vyre::primitives
