#include "vyre/primitives/sheaf.h"

#include <gtest/gtest.h>

#include "primitives/sheaf_layout.h"
#include "primitives/suite.h"

namespace vyre::primitives {
namespace {

// Two nodes of sizes 1 and 2, one edge of size 2.
Sheaf small() {
  return {.stalks = {1, 2},
          .edges = {{.u = 0, .v = 1, .size = 2, .map_u = {1, 2}, .map_v = {3, 4, 5, 6}}}};
}

TEST(Sheaf, IsRefusedWithTheEdgeAndTheNumbers) {
  const auto refused = [](const auto& change) {
    Sheaf sheaf = small();
    change(sheaf);
    return message_of(check_sheaf(sheaf));
  };
  EXPECT_EQ(refused([](Sheaf& s) { s.stalks.clear(); }), "sheaf: it has no nodes");
  EXPECT_EQ(refused([](Sheaf& s) { s.stalks[1] = 0; }),
            "sheaf: node 1 has a stalk of size 0; it must be at least 1");
  EXPECT_EQ(refused([](Sheaf& s) { s.edges[0].v = 2; }),
            "sheaf: edge 0 joins 0 and 2, but the nodes are 0 to 1");
  EXPECT_EQ(refused([](Sheaf& s) { s.edges[0].size = 0; }),
            "sheaf: edge 0 has a space of size 0; it must be at least 1");
  EXPECT_EQ(refused([](Sheaf& s) { s.edges[0].map_u.pop_back(); }),
            "sheaf: edge 0: map_u has 1 elements; it must have 2 * 1 = 2");
  EXPECT_EQ(refused([](Sheaf& s) { s.edges[0].map_v.push_back(1); }),
            "sheaf: edge 0: map_v has 5 elements; it must have 2 * 2 = 4");
  EXPECT_EQ(refused([](Sheaf& s) { s.edges[0].map_v[2] = NAN; }),
            "sheaf: edge 0: map_v[2] is nan; it must be finite");
  EXPECT_EQ(refused([](Sheaf& s) { s.stalks = {1, 2, 0xFFFFFFFF}; }),
            "sheaf: the stalks have 4294967298 elements together; at most 4294967294 are possible");
}

TEST(Sheaf, KnowsTheLengthsOfItsVectors) {
  EXPECT_TRUE(check_sheaf(small()));
  EXPECT_EQ(node_space(small()), 3U);
  EXPECT_EQ(edge_space(small()), 2U);
}

TEST(SheafLayout, HoldsTheCoboundaryByRowsAndByColumns) {
  const SheafLayout layout = lay_out(small());
  EXPECT_EQ(layout.d.start, (std::vector<std::uint32_t>{0, 3, 6}));
  EXPECT_EQ(layout.d.column, (std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(layout.d.value, (std::vector<float>{1, -3, -4, 2, -5, -6}));
  EXPECT_EQ(layout.transposed.start, (std::vector<std::uint32_t>{0, 2, 4, 6}));
  EXPECT_EQ(layout.transposed.column, (std::vector<std::uint32_t>{0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(layout.transposed.value, (std::vector<float>{1, 2, -3, -5, -4, -6}));
  EXPECT_EQ(eigenvalue_bound(layout), 13 * 10);
}

TEST(SheafLayout, LeavesOutZeros) {
  Sheaf sheaf = small();
  sheaf.edges[0].map_v = {0, 4, 0, 0};
  const SheafLayout layout = lay_out(sheaf);
  EXPECT_EQ(layout.d.start, (std::vector<std::uint32_t>{0, 2, 3}));
  EXPECT_EQ(layout.d.value, (std::vector<float>{1, -4, 2}));
  EXPECT_EQ(layout.transposed.start, (std::vector<std::uint32_t>{0, 2, 2, 3}));
}

TEST(SheafLayout, OfASheafWithoutEdgesHasOneEmptyRow) {
  const SheafLayout layout = lay_out({.stalks = {2}});
  EXPECT_EQ(layout.d.start, (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(layout.columns(), 2U);
  EXPECT_EQ(layout.entries(), 1U);
  EXPECT_EQ(eigenvalue_bound(layout), 0);
}

TEST(Sheaf, WithConstantMapsHasIdentities) {
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> edges = {{0, 1}, {1, 2}};
  const Sheaf sheaf = constant_sheaf(3, edges, 2);
  EXPECT_EQ(sheaf.stalks, (std::vector<std::uint32_t>{2, 2, 2}));
  EXPECT_EQ(sheaf.edges[1].u, 1U);
  EXPECT_EQ(sheaf.edges[1].map_v, (std::vector<float>{1, 0, 0, 1}));
}

}  // namespace
}  // namespace vyre::primitives
