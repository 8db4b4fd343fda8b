// A group of a space's parameters and every valid combination of their digits.
//
// Rows of one or two bytes per digit, in the order in which they were added, and a hash table with
// open addressing from row to position.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vyre/space/space.h"

namespace vyre::space {

class Part {
 public:
  // `columns`: the parameters of the group; `widest`: the most values that one of them has.
  Part(std::vector<std::uint32_t> columns, std::size_t widest);

  void reserve(std::size_t rows) { bytes_.reserve(rows * row_bytes_); }
  void add(std::span<const Digit> row);
  // `lanes` rows at once from columns of digits: columns[c][lane].
  void add(std::span<const std::vector<Digit>> columns, std::size_t lanes);

  // Makes find work; false if a row is there twice. Add nothing after it.
  [[nodiscard]] bool close();

  [[nodiscard]] std::span<const std::uint32_t> columns() const { return columns_; }
  [[nodiscard]] std::size_t size() const { return rows_; }
  [[nodiscard]] std::size_t bytes() const {
    return bytes_.capacity() + slots_.capacity() * sizeof(Index);
  }
  [[nodiscard]] Digit digit(std::size_t row, std::size_t column) const {
    const std::size_t at = row * row_bytes_ + column * width_;
    if (width_ == 1) return bytes_[at];
    return static_cast<Digit>(bytes_[at] | bytes_[at + 1] << 8);
  }
  [[nodiscard]] std::optional<Index> find(std::span<const Digit> row) const;

 private:
  [[nodiscard]] std::size_t slot_of(const std::uint8_t* row) const;
  void write(std::span<const Digit> row, std::uint8_t* out) const;

  std::vector<std::uint32_t> columns_;
  std::size_t width_;
  std::size_t row_bytes_;
  std::size_t rows_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::vector<Index> slots_;  // a row's position + 1, or 0
  std::uint32_t shift_ = 0;   // from 64 hashed bits to a slot
};

// The space of all combinations of the parts' rows; a parameter in no part has one value. Requires
// closed parts and fewer than 2^32 combinations.
[[nodiscard]] Space product(std::vector<Parameter> parameters, std::vector<Part> parts);

}  // namespace vyre::space
