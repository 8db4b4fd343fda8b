// The registers of one batch of invocations, and which of these are active.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "interpret/tape.h"

namespace vyre::interpret {

// The invocations that run now: those whose cell in `mask` is 1, all within [first, last).
struct Active {
  Column mask = whole_mask;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t count = 0;
};

class Frame {
 public:
  // Bytes of a frame, to be asked before it is made.
  [[nodiscard]] static std::uint64_t bytes(std::uint32_t columns, std::uint64_t invocations) {
    return columns * lines(invocations) * sizeof(Line);
  }
  Frame(std::uint32_t columns, std::uint32_t invocations)
      : lines_(lines(invocations)), cells_(std::make_unique<Line[]>(columns * lines_)) {}

  // The cells of a lane, one for each invocation.
  template <class T>
  [[nodiscard]] T* cells(Column column, std::uint32_t lane = 0) const {
    const std::size_t at = column + lane * (sizeof(T) / sizeof(std::uint32_t));
    return reinterpret_cast<T*>(cells_.get() + at * lines_);
  }

  Active active;

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  static std::uint64_t lines(std::uint64_t invocations) { return (invocations + 15) / 16; }

  std::size_t lines_;
  std::unique_ptr<Line[]> cells_;
};

}  // namespace vyre::interpret
