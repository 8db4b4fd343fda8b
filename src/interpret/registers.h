// Which columns hold what while a program is compiled: registers are reused once they are released.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "interpret/tape.h"
#include "vyre/ir/type.h"

namespace vyre::interpret {

// A run of columns; `size` is a power of two, 0 for none.
struct Register {
  Column column = 0;
  std::uint32_t size = 0;
};

[[nodiscard]] inline std::uint32_t columns_of(ir::Type type) {
  return type.lanes * (type.scalar == Scalar::f64 || is_long(type.scalar) ? 2U : 1U);
}

// Registers of different sizes never overlap, not even over time.
class Registers {
 public:
  // A register that was never used before and is never released.
  Column fixed(std::uint32_t size) {
    columns_ += size;
    return columns_ - size;
  }

  Register take(std::uint32_t size) {
    std::vector<Column>& free = free_[std::bit_width(size) - 1U];
    if (free.empty()) return {fixed(size), size};
    const Column column = free.back();
    free.pop_back();
    return {column, size};
  }

  void release(Register reg) {
    if (reg.size != 0) free_[std::bit_width(reg.size) - 1U].push_back(reg.column);
  }

  [[nodiscard]] std::uint32_t columns() const { return columns_; }

 private:
  std::uint32_t columns_ = whole_mask + 1;
  std::array<std::vector<Column>, 6> free_;  // by the logarithm of the size
};

}  // namespace vyre::interpret
