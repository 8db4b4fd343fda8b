#include "vyre/primitives/sheaf.h"

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <string_view>

#include "primitives/checks.h"

namespace vyre::primitives {
namespace {

constexpr std::string_view sheaf_name = "sheaf";

Result<void> check_map(std::size_t edge, std::string_view which, std::span<const float> map,
                       std::uint64_t rows, std::uint64_t columns) {
  if (map.size() != rows * columns) {
    return refuse(sheaf_name, fmt::format("edge {}: {} has {} elements; it must have {} * {} = {}",
                                          edge, which, map.size(), rows, columns, rows * columns));
  }
  return check_finite(sheaf_name, fmt::format("edge {}: {}", edge, which), map);
}

Result<void> check_edge(const Sheaf& sheaf, std::size_t position) {
  const SheafEdge& edge = sheaf.edges[position];
  for (const std::uint32_t node : {edge.u, edge.v}) {
    if (node >= sheaf.stalks.size()) {
      return refuse(sheaf_name, fmt::format("edge {} joins {} and {}, but the nodes are 0 to {}",
                                            position, edge.u, edge.v, sheaf.stalks.size() - 1));
    }
  }
  if (edge.size == 0) {
    return refuse(sheaf_name,
                  fmt::format("edge {} has a space of size 0; it must be at least 1", position));
  }
  const std::uint32_t stalk_u = sheaf.stalks[edge.u];
  const std::uint32_t stalk_v = sheaf.stalks[edge.v];
  if (auto good = check_map(position, "map_u", edge.map_u, edge.size, stalk_u); !good) return good;
  return check_map(position, "map_v", edge.map_v, edge.size, stalk_v);
}

Result<void> check_sum(std::string_view what, std::uint64_t sum) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (sum < most) return {};
  return refuse(sheaf_name, fmt::format("the {} have {} elements together; at most {} are possible",
                                        what, sum, most - 1));
}

std::uint64_t sum_of_stalks(const Sheaf& sheaf) {
  return std::accumulate(sheaf.stalks.begin(), sheaf.stalks.end(), std::uint64_t{0});
}

}  // namespace

Result<void> check_sheaf(const Sheaf& sheaf) {
  if (sheaf.stalks.empty()) return refuse(sheaf_name, "it has no nodes");
  for (std::size_t i = 0; i < sheaf.stalks.size(); ++i) {
    if (sheaf.stalks[i] > 0) continue;
    return refuse(sheaf_name,
                  fmt::format("node {} has a stalk of size 0; it must be at least 1", i));
  }
  std::uint64_t spaces = 0;
  std::uint64_t maps = 0;
  for (std::size_t i = 0; i < sheaf.edges.size(); ++i) {
    if (auto good = check_edge(sheaf, i); !good) return good;
    spaces += sheaf.edges[i].size;
    maps += sheaf.edges[i].map_u.size() + sheaf.edges[i].map_v.size();
  }
  if (auto good = check_sum("stalks", sum_of_stalks(sheaf)); !good) return good;
  if (auto good = check_sum("edges' spaces", spaces); !good) return good;
  return check_sum("maps", maps);
}

std::uint32_t node_space(const Sheaf& sheaf) {
  return static_cast<std::uint32_t>(sum_of_stalks(sheaf));
}

std::uint32_t edge_space(const Sheaf& sheaf) {
  std::uint32_t sum = 0;
  for (const SheafEdge& edge : sheaf.edges) sum += edge.size;
  return sum;
}

Sheaf constant_sheaf(std::uint32_t nodes,
                     std::span<const std::pair<std::uint32_t, std::uint32_t>> edges,
                     std::uint32_t size) {
  std::vector<float> identity(std::size_t{size} * size);
  for (std::size_t i = 0; i < size; ++i) identity[i * size + i] = 1;
  Sheaf sheaf{.stalks = std::vector<std::uint32_t>(nodes, size)};
  for (const auto& [u, v] : edges) sheaf.edges.push_back({u, v, size, identity, identity});
  return sheaf;
}

}  // namespace vyre::primitives
