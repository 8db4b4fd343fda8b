// Long records, of four, eight or sixteen elements, such as small matrices: between vectors of
// memory, which hold the records of all items one after the other, and a vector of each part.
// Shuffles of two vectors at a time take elements in turns:
//
//   a = [0 1 2 3 4 5 6 7]   even = [a.0, a.2, a.4, a.6, b.0, b.2, b.4, b.6]   and again, until
//   b = [8 9 ...]           odd = [a.1, a.3, a.5, a.7, b.1, b.3, b.5, b.7]    each has one part
//
// Compilers take a vector of lanes of more than two others apart: see emit/expression.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/names.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// Whether records of so many elements are shuffled so.
[[nodiscard]] constexpr bool is_long_record(std::uint32_t elements, std::uint32_t width) {
  return (elements == 4 && width >= 8) || ((elements == 8 || elements == 16) && width >= 4);
}

// Lanes of the vectors that are shuffled: longer ones are two registers for many a compiler, which
// then shuffles four.
[[nodiscard]] constexpr std::uint32_t shuffled_lanes(std::uint32_t width) {
  return width < 8 ? width : 8;
}

// The vector of each part, with a lane for each item, of the vectors of `shuffled_lanes` that hold
// the records. Requires: is_long_record. What is needed on the way gets names in `into`.
[[nodiscard]] std::vector<ir::Expr> parts_of_records(const std::vector<ir::Expr>& pieces,
                                                     std::uint32_t elements, ir::Names& names,
                                                     ir::Block& into);
// The other way.
[[nodiscard]] std::vector<ir::Expr> records_of_parts(const std::vector<ir::Expr>& parts,
                                                     ir::Names& names, ir::Block& into);

}  // namespace vyre::schedule
