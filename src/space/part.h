// A group of a space's parameters and every valid combination of their digits.
//
// Rows of one or two bytes per digit, high byte first, in the order in which they were added. Rows
// in ascending order, as an enumeration makes them, are found through a table of where each prefix
// starts and a binary search behind that; others through a hash table with open addressing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vyre/space/space.h"

namespace vyre::space {

class Part {
 public:
  // `columns`: which of the parameters are in the group.
  Part(std::vector<std::uint32_t> columns, std::span<const Parameter> parameters);

  void reserve(std::size_t rows) { bytes_.reserve(rows * row_bytes_); }
  void add(std::span<const Digit> row);
  // `lanes` rows at once from columns of digits: columns[c][lane].
  void add(std::span<const std::vector<Digit>> columns, std::size_t lanes);

  // Makes find work; false if a row is there twice. Add nothing after it.
  [[nodiscard]] bool close();

  [[nodiscard]] std::span<const std::uint32_t> columns() const { return columns_; }
  [[nodiscard]] std::size_t size() const { return rows_; }
  [[nodiscard]] std::size_t row_bytes() const { return row_bytes_; }
  [[nodiscard]] std::size_t bytes() const {
    return bytes_.capacity() + (slots_.capacity() + starts_.capacity()) * sizeof(Index);
  }
  [[nodiscard]] Digit digit(std::size_t row, std::size_t column) const {
    const std::size_t at = row * row_bytes_ + column * width_;
    if (width_ == 1) return bytes_[at];
    return static_cast<Digit>(bytes_[at] << 8 | bytes_[at + 1]);
  }
  [[nodiscard]] std::optional<Index> find(std::span<const Digit> row) const;

 private:
  [[nodiscard]] const std::uint8_t* row(std::size_t at) const {
    return bytes_.data() + at * row_bytes_;
  }
  [[nodiscard]] bool is_ascending() const;
  void index_prefixes();
  [[nodiscard]] bool index_hashes();
  [[nodiscard]] std::optional<Index> find_sorted(const std::uint8_t* wanted,
                                                 std::span<const Digit> digits) const;
  [[nodiscard]] std::optional<Index> find_hashed(const std::uint8_t* wanted) const;
  [[nodiscard]] std::size_t slot_of(const std::uint8_t* row) const;
  void write(std::span<const Digit> row, std::uint8_t* out) const;

  std::vector<std::uint32_t> columns_;
  std::vector<std::size_t> sizes_;  // how many values each column has
  std::size_t width_;
  std::size_t row_bytes_ = 0;
  std::size_t rows_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::vector<Index> starts_;  // of the rows with each prefix, and the end
  std::size_t prefix_ = 0;     // its columns
  std::vector<Index> slots_;   // a row's position + 1, or 0
  std::uint32_t shift_ = 0;    // from 64 hashed bits to a slot
};

// The space of all combinations of the parts' rows; a parameter in no part has one value. Requires
// closed parts and fewer than 2^32 combinations.
[[nodiscard]] Space product(std::vector<Parameter> parameters, std::vector<Part> parts);

}  // namespace vyre::space
