// A sheaf's coboundary as a sparse matrix, by rows and by columns (compressed rows, CSR), which is
// the form the programs read.
#pragma once

#include <cstdint>
#include <vector>

#include "vyre/primitives/sheaf.h"

namespace vyre::primitives {

// Row i has the entries start[i] to start[i + 1]; zeros are left out.
struct Sparse {
  std::vector<std::uint32_t> start;
  std::vector<std::uint32_t> column;
  std::vector<float> value;
};

// A device cannot launch nothing: without edges there is one empty row, and an entry nobody reads.
struct SheafLayout {
  Sparse d;
  Sparse transposed;
  std::vector<std::uint32_t> edge_start;  // edge e has the rows edge_start[e] to edge_start[e + 1]

  [[nodiscard]] std::uint32_t rows() const {
    return static_cast<std::uint32_t>(d.start.size()) - 1;
  }
  [[nodiscard]] std::uint32_t columns() const {
    return static_cast<std::uint32_t>(transposed.start.size()) - 1;
  }
  [[nodiscard]] std::uint32_t entries() const { return static_cast<std::uint32_t>(d.value.size()); }
  [[nodiscard]] std::uint32_t edges() const {
    return static_cast<std::uint32_t>(edge_start.size()) - 1;
  }
};

// Requires: a sheaf that check_sheaf takes.
[[nodiscard]] SheafLayout lay_out(const Sheaf& sheaf);

// |d|_1 |d|_inf, which is not below the largest eigenvalue of d^T d.
[[nodiscard]] double eigenvalue_bound(const SheafLayout& layout);

}  // namespace vyre::primitives
