// A cellular sheaf on a graph: a vector space on every node (its stalk) and on every edge, and two
// linear maps per edge that carry what its ends hold into the edge's space.
//
//   (d x)_e = F_u x_u - F_v x_v,   L = d^T d
//
// d is the coboundary, L the sheaf Laplacian: J. Hansen and R. Ghrist, "Toward a spectral theory of
// cellular sheaves", Journal of Applied and Computational Topology 3, 2019.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "vyre/base/error.h"

namespace vyre::primitives {

// From u to v; u may be v. The maps are row major: size x stalk of u, size x stalk of v.
struct SheafEdge {
  std::uint32_t u = 0;
  std::uint32_t v = 0;
  std::uint32_t size = 0;  // of the edge's space
  std::vector<float> map_u;
  std::vector<float> map_v;
};

// A vector of the nodes holds the stalks one after the other; one of the edges, their spaces.
struct Sheaf {
  std::vector<std::uint32_t> stalks;  // size of each node's
  std::vector<SheafEdge> edges;
};

// Refuses a sheaf without nodes, a space of size 0, an edge to a node that is not there, a map of
// another size or with a number that is not finite, and more than u32 elements, by edge and
// numbers.
[[nodiscard]] Result<void> check_sheaf(const Sheaf& sheaf);

// Lengths of the vectors of the nodes and of the edges. Requires: a sheaf that check_sheaf takes.
[[nodiscard]] std::uint32_t node_space(const Sheaf& sheaf);
[[nodiscard]] std::uint32_t edge_space(const Sheaf& sheaf);

// Every space of this size and every map the identity: its Laplacian is that of the graph, once for
// every component.
[[nodiscard]] Sheaf constant_sheaf(std::uint32_t nodes,
                                   std::span<const std::pair<std::uint32_t, std::uint32_t>> edges,
                                   std::uint32_t size = 1);

}  // namespace vyre::primitives
