#include "primitives/sheaf_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vyre::primitives {
namespace {

void append_map(Sparse& d, const std::vector<float>& map, std::size_t row, std::uint32_t stalk,
                std::uint32_t at, float sign) {
  for (std::uint32_t j = 0; j < stalk; ++j) {
    if (map[row * stalk + j] == 0) continue;
    d.column.push_back(at + j);
    d.value.push_back(sign * map[row * stalk + j]);
  }
}

Sparse transpose_of(const Sparse& d, std::uint32_t columns) {
  Sparse made{.start = std::vector<std::uint32_t>(columns + 1),
              .column = std::vector<std::uint32_t>(d.column.size()),
              .value = std::vector<float>(d.value.size())};
  for (const std::uint32_t column : d.column) ++made.start[column + 1];
  std::partial_sum(made.start.begin(), made.start.end(), made.start.begin());
  std::vector<std::uint32_t> next = made.start;
  for (std::uint32_t row = 0; row + 1 < d.start.size(); ++row) {
    for (std::uint32_t k = d.start[row]; k < d.start[row + 1]; ++k) {
      const std::uint32_t to = next[d.column[k]]++;
      made.column[to] = row;
      made.value[to] = d.value[k];
    }
  }
  return made;
}

void fill_if_empty(Sparse& sparse) {
  if (sparse.start.size() == 1) sparse.start.push_back(0);
  if (!sparse.value.empty()) return;
  sparse.column.push_back(0);
  sparse.value.push_back(0);
}

double largest_row_sum(const Sparse& sparse) {
  double largest = 0;
  for (std::size_t row = 0; row + 1 < sparse.start.size(); ++row) {
    double sum = 0;
    for (std::size_t k = sparse.start[row]; k < sparse.start[row + 1]; ++k) {
      sum += std::abs(static_cast<double>(sparse.value[k]));
    }
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

SheafLayout lay_out(const Sheaf& sheaf) {
  std::vector<std::uint32_t> node_start = {0};
  for (const std::uint32_t stalk : sheaf.stalks) node_start.push_back(node_start.back() + stalk);
  SheafLayout made{.d = {.start = {0}}, .edge_start = {0}};
  for (const SheafEdge& edge : sheaf.edges) {
    for (std::size_t row = 0; row < edge.size; ++row) {
      append_map(made.d, edge.map_u, row, sheaf.stalks[edge.u], node_start[edge.u], 1);
      append_map(made.d, edge.map_v, row, sheaf.stalks[edge.v], node_start[edge.v], -1);
      made.d.start.push_back(static_cast<std::uint32_t>(made.d.value.size()));
    }
    made.edge_start.push_back(made.edge_start.back() + edge.size);
  }
  made.transposed = transpose_of(made.d, node_start.back());
  fill_if_empty(made.d);
  fill_if_empty(made.transposed);
  if (sheaf.edges.empty()) made.edge_start.push_back(0);
  return made;
}

double eigenvalue_bound(const SheafLayout& layout) {
  return largest_row_sum(layout.d) * largest_row_sum(layout.transposed);
}

}  // namespace vyre::primitives
