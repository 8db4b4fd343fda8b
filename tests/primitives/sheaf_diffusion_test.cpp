#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>
#include <random>

#include "primitives/sheaf_programs.h"
#include "primitives/sheaf_reference.h"
#include "primitives/suite.h"
#include "support/allocations.h"
#include "support/device.h"

namespace vyre::primitives {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Floats = std::vector<float>;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs path_edges(std::uint32_t nodes) {
  Pairs edges;
  for (std::uint32_t i = 0; i + 1 < nodes; ++i) edges.emplace_back(i, i + 1);
  return edges;
}

// Nodes of sizes 1 to 3 and edges between any two, self loops and repeated edges included.
Sheaf random_sheaf(std::uint32_t nodes, std::uint32_t edges, std::uint32_t seed) {
  std::mt19937 engine(seed);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  Sheaf sheaf;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    sheaf.stalks.push_back(1 + random() % 3);
  }
  for (std::uint32_t i = 0; i < edges; ++i) {
    SheafEdge edge{.u = random() % nodes, .v = random() % nodes, .size = 1 + random() % 3};
    edge.map_u = random_floats(std::size_t{edge.size} * sheaf.stalks[edge.u], random());
    edge.map_v = random_floats(std::size_t{edge.size} * sheaf.stalks[edge.v], random());
    sheaf.edges.push_back(std::move(edge));
  }
  return sheaf;
}

// L column by column, from the definition.
MatrixXd dense_laplacian(const Sheaf& sheaf) {
  const std::uint32_t n = node_space(sheaf);
  MatrixXd made(n, n);
  for (std::uint32_t j = 0; j < n; ++j) {
    std::vector<double> unit(n);
    std::vector<double> column(n);
    unit[j] = 1;
    sheaf_laplacian_reference(sheaf, unit, column);
    made.col(j) = Eigen::Map<const VectorXd>(column.data(), n);
  }
  return made;
}

VectorXd vector_of(const Floats& values) {
  return Eigen::Map<const Eigen::VectorXf>(values.data(), static_cast<Eigen::Index>(values.size()))
      .cast<double>();
}

double energy(SheafDiffusion& diffusion, const Sheaf& sheaf, const Floats& x) {
  Floats dx(edge_space(sheaf));
  good(diffusion.coboundary(x, dx));
  return vector_of(dx).squaredNorm();
}

}  // namespace

std::vector<Case> sheaf_diffusion_cases() {
  const Sheaf sheaf = random_sheaf(40, 90, 11);
  const Floats x = random_floats(node_space(sheaf), 12);
  std::vector<double> expected(x.size());
  sheaf_laplacian_reference(sheaf, doubles(x), expected);
  return {{.name = "sheaf_diffusion",
           .programs = good(sheaf_diffusion_programs(sheaf)),
           .run = [=](device::Device& device) -> Result<std::vector<double>> {
             auto diffusion = SheafDiffusion::make(device, sheaf);
             if (!diffusion) return Unexpected(diffusion.error());
             Floats lx(x.size());
             if (auto done = diffusion->laplacian(x, lx); !done) {
               return Unexpected(done.error());
             }
             return doubles(lx);
           },
           .expected = expected,
           .tolerance = 1e-6}};
}

namespace {

// The eigenvectors of a path of n nodes are cos(pi k (i + 1/2) / n), with 2 - 2 cos(pi k / n).
TEST(SheafDiffusion, OnAPathIsTheClosedForm) {
  constexpr std::uint32_t n = 20;
  constexpr float step = 0.2F;
  constexpr std::uint32_t steps = 25;
  const auto device = testing::opened("opencl");
  auto diffusion = good(SheafDiffusion::make(*device, constant_sheaf(n, path_edges(n))));
  Floats x(n);
  std::vector<double> expected(n);
  for (const auto& [mode, weight] : {std::pair{0, 3.0}, {1, 2.0}, {7, -1.0}, {19, 0.5}}) {
    const double turn = std::numbers::pi * mode / n;
    const double decay = std::pow(1 - step * (2 - 2 * std::cos(turn)), steps);
    for (std::uint32_t i = 0; i < n; ++i) {
      const double vector = std::cos(turn * (i + 0.5));
      x[i] += static_cast<float>(weight * vector);
      expected[i] += weight * vector * decay;
    }
  }
  const auto reached =
      good(diffusion.diffuse(x, x, {.step = step, .tolerance = 0, .max_iters = steps}));
  EXPECT_EQ(reached.iterations, steps);
  for (std::uint32_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], expected[i], 2e-6) << "node " << i;
}

TEST(SheafDiffusion, WithConstantMapsIsTheHeatFlowOfTheGraph) {
  constexpr std::uint32_t nodes = 12;
  std::mt19937 random(5);
  Pairs edges;
  MatrixXd graph = MatrixXd::Zero(nodes, nodes);  // degrees minus adjacency
  while (edges.size() < 25) {
    const auto u = static_cast<std::uint32_t>(random() % nodes);
    const auto v = static_cast<std::uint32_t>(random() % nodes);
    if (u == v) continue;
    edges.emplace_back(u, v);
    graph(u, u) += 1;
    graph(v, v) += 1;
    graph(u, v) -= 1;
    graph(v, u) -= 1;
  }
  const auto device = testing::opened("opencl");
  auto diffusion = good(SheafDiffusion::make(*device, constant_sheaf(nodes, edges, 2)));
  const Floats x = random_floats(nodes * 2, 6);
  Floats out(x.size());
  good(diffusion.diffuse(x, out, {.step = 0.05F, .tolerance = 0, .max_iters = 10}));
  Eigen::Matrix<double, nodes, 2, Eigen::RowMajor> heat;
  for (std::uint32_t i = 0; i < nodes * 2; ++i) heat(i / 2, i % 2) = x[i];
  for (int i = 0; i < 10; ++i) heat -= 0.05 * (graph * heat);
  for (std::uint32_t i = 0; i < nodes * 2; ++i) EXPECT_NEAR(out[i], heat(i / 2, i % 2), 1e-6);
}

TEST(SheafDiffusion, ConvergesToTheProjectionOnTheKernel) {
  const auto device = testing::opened("opencl");
  const Sheaf sheaf = random_sheaf(8, 6, 21);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(dense_laplacian(sheaf));
  MatrixXd kernel = solver.eigenvectors();
  int size = 0;
  while (size < kernel.cols() && solver.eigenvalues()[size] < 1e-9) ++size;
  ASSERT_GT(size, 1);
  ASSERT_LT(size, kernel.cols());
  kernel = kernel.leftCols(size).eval();
  auto diffusion = good(SheafDiffusion::make(*device, sheaf));
  const Floats x = random_floats(node_space(sheaf), 22);
  const VectorXd expected = kernel * (kernel.transpose() * vector_of(x));
  Floats out(x.size());
  const auto reached = good(diffusion.diffuse(x, out, {.tolerance = 1e-8F, .max_iters = 20000}));
  EXPECT_TRUE(reached.converged) << reached.iterations;
  EXPECT_LE((vector_of(out) - expected).cwiseAbs().maxCoeff(), 1e-4)
      << "after " << reached.iterations << "; gap " << solver.eigenvalues()[size];
}

TEST(SheafDiffusion, ReachesTheEquilibriumAndFlagsOfTheReference) {
  const Sheaf sheaf = random_sheaf(12, 20, 31);
  const Floats x = random_floats(node_space(sheaf), 32);
  std::vector<double> limit(x.size());
  const DiffusionOptions options{.tolerance = 1e-7F, .max_iters = 20000};
  const auto expected = good(sheaf_diffuse_reference(sheaf, doubles(x), limit, options));
  EXPECT_TRUE(expected.converged);
  std::vector<double> disagreement(sheaf.edges.size());
  good(sheaf_disagreement_reference(sheaf, doubles(x), disagreement));
  std::vector<std::uint32_t> expected_flags(sheaf.edges.size());
  good(sheaf_flags_reference(sheaf, doubles(x), 1, expected_flags));
  EXPECT_NE(std::ranges::count(expected_flags, 1U), 0);
  EXPECT_NE(std::ranges::count(expected_flags, 0U), 0);
  for (const std::string_view which : {"reference", "opencl"}) {
    const auto device = testing::opened(which);
    auto diffusion = good(SheafDiffusion::make(*device, sheaf));
    Floats out(x.size());
    const auto reached = good(diffusion.diffuse(x, out, options));
    EXPECT_TRUE(reached.converged);
    EXPECT_NEAR(reached.step, expected.step, 0.01 * expected.step);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(out[i], limit[i], 1e-4) << i;
    Floats apart(sheaf.edges.size());
    good(diffusion.disagreement(x, apart));
    for (std::size_t e = 0; e < apart.size(); ++e) EXPECT_NEAR(apart[e], disagreement[e], 1e-5);
    std::vector<std::uint32_t> flags(sheaf.edges.size());
    good(diffusion.flags(x, 1, flags));
    EXPECT_EQ(flags, expected_flags);
  }
}

TEST(SheafDiffusion, ItsReferencesRefuseBadShapesAsItDoes) {
  const Sheaf sheaf = constant_sheaf(2, Pairs{{0, 1}});
  std::vector<double> one(1);
  std::vector<double> two(2);
  std::vector<std::uint32_t> flags(2);
  EXPECT_EQ(message_of(sheaf_diffuse_reference({}, {}, {})), "sheaf: it has no nodes");
  EXPECT_EQ(message_of(sheaf_diffuse_reference(sheaf, one, two)),
            "sheaf_diffusion: x has 1 elements; it must have 2");
  EXPECT_EQ(message_of(sheaf_diffuse_reference(sheaf, two, one)),
            "sheaf_diffusion: out has 1 elements; it must have 2");
  EXPECT_EQ(message_of(sheaf_diffuse_reference(sheaf, two, two, {.step = -1})),
            "sheaf_diffusion: step is -1 and tolerance 1e-06; neither may be below 0");
  EXPECT_EQ(message_of(sheaf_disagreement_reference(sheaf, two, two)),
            "sheaf_diffusion: out has 2 elements; it must have 1");
  EXPECT_EQ(message_of(sheaf_flags_reference(sheaf, two, 1, flags)),
            "sheaf_diffusion: out has 2 elements; it must have 1");
  EXPECT_EQ(message_of(sheaf_flags_reference(sheaf, two, std::nan(""), flags)),
            "sheaf_diffusion: threshold is nan; it must be a number");
  const std::vector<double> infinite = {1, INFINITY};
  EXPECT_EQ(message_of(sheaf_diffuse_reference(sheaf, infinite, two)),
            "sheaf_diffusion: x[1] is inf; it must be finite");
  const std::vector<double> apart = {1, 0};
  EXPECT_EQ(message_of(sheaf_diffuse_reference(sheaf, apart, two, {.step = 100})),
            "sheaf_diffusion: a step of 100 leaves the range of f64 in 1000 iterations");
}

TEST(SheafDiffusion, NeverRaisesTheEnergyAndItsStepIsSafeByDefault) {
  const auto device = testing::opened("reference");
  for (std::uint32_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    const Sheaf sheaf = random_sheaf(2 + seed % 9, 1 + seed * 7 % 23, seed);
    auto diffusion = good(SheafDiffusion::make(*device, sheaf));
    const double largest =
        Eigen::SelfAdjointEigenSolver<MatrixXd>(dense_laplacian(sheaf)).eigenvalues().maxCoeff();
    const double estimate = good(diffusion.largest_eigenvalue());
    EXPECT_GE(estimate, largest * (1 - 1e-6));
    EXPECT_LE(estimate, largest * 1.05);
    Floats x = random_floats(node_space(sheaf), seed + 100);
    double before = energy(diffusion, sheaf, x);
    for (int i = 0; i < 10; ++i) {
      good(diffusion.diffuse(x, x, {.tolerance = 0, .max_iters = 1}));
      const double now = energy(diffusion, sheaf, x);
      EXPECT_LE(now, before * (1 + 1e-5));
      before = now;
    }
  }
}

TEST(SheafDiffusion, MeasuresAndFlagsWhereTheEndsOfAnEdgeDisagree) {
  const auto device = testing::opened("opencl");
  // A self loop whose two maps differ, an edge between spaces of different sizes, an isolated node.
  const Sheaf sheaf{.stalks = {1, 2, 1},
                    .edges = {{.u = 0, .v = 0, .size = 1, .map_u = {3}, .map_v = {1}},
                              {.u = 0, .v = 1, .size = 2, .map_u = {1, 0}, .map_v = {0, 1, 2, 0}}}};
  auto diffusion = good(SheafDiffusion::make(*device, sheaf));
  const Floats x = {5, 2, 8, 7};
  Floats dx(3);
  good(diffusion.coboundary(x, dx));
  EXPECT_EQ(dx, (Floats{10, -3, -4}));
  Floats disagreement(2);
  good(diffusion.disagreement(x, disagreement));
  EXPECT_FLOAT_EQ(disagreement[0], 10);
  EXPECT_FLOAT_EQ(disagreement[1], 5);
  std::vector<std::uint32_t> flags(2);
  good(diffusion.flags(x, 7, flags));
  EXPECT_EQ(flags, (std::vector<std::uint32_t>{1, 0}));

  Floats out(4);
  const auto reached = good(diffusion.diffuse(x, out));
  EXPECT_TRUE(reached.converged);
  EXPECT_EQ(out[3], 7) << "an isolated node keeps what it has";
  EXPECT_NEAR(out[0], 0, 1e-4) << "the self loop agrees at 0 only";
}

TEST(SheafDiffusion, OfASheafWithoutEdgesHoldsEverything) {
  const auto device = testing::opened("opencl");
  auto diffusion = good(SheafDiffusion::make(*device, {.stalks = {1, 2}}));
  const Floats x = {1, -2, 3};
  Floats out(3);
  const auto reached = good(diffusion.diffuse(x, out));
  EXPECT_EQ(out, x);
  EXPECT_EQ(reached.iterations, 1U);
  EXPECT_TRUE(reached.converged);
  EXPECT_EQ(good(diffusion.largest_eigenvalue()), 0);
  good(diffusion.laplacian(x, out));
  EXPECT_EQ(out, (Floats{0, 0, 0}));
  good(diffusion.coboundary(x, {}));
  good(diffusion.disagreement(x, {}));
  good(diffusion.flags(x, 1, {}));
}

TEST(SheafDiffusion, MeetsInTheMeanOnAStarOfManyEdges) {
  constexpr std::uint32_t leaves = 3000;
  const auto device = testing::opened("opencl");
  Pairs edges;
  for (std::uint32_t i = 1; i <= leaves; ++i) edges.emplace_back(0, i);
  auto diffusion = good(SheafDiffusion::make(*device, constant_sheaf(leaves + 1, edges)));
  // The largest eigenvalue of a star is its number of nodes.
  EXPECT_NEAR(good(diffusion.largest_eigenvalue()), leaves + 1, 1.5);
  Floats x(leaves + 1);
  x[0] = leaves + 1;
  // 1 / lambda is the step that takes the hub's mode, and with it this x, to the mean at once.
  good(diffusion.diffuse(x, x, {.step = 1.0F / (leaves + 1), .max_iters = 1}));
  EXPECT_NEAR(x[0], 1, 1e-3);
  EXPECT_NEAR(x[leaves], 1, 1e-3);
}

TEST(SheafDiffusion, RefusesBadInputByNameAndNumber) {
  const auto device = testing::opened("reference");
  EXPECT_EQ(message_of(SheafDiffusion::make(*device, {})), "sheaf: it has no nodes");
  auto diffusion = good(SheafDiffusion::make(*device, constant_sheaf(2, Pairs{{0, 1}})));
  Floats two = {1, NAN};
  Floats three(3);
  EXPECT_EQ(message_of(diffusion.laplacian(three, two)),
            "sheaf_diffusion: x has 3 elements; it must have 2");
  EXPECT_EQ(message_of(diffusion.coboundary(two, two)),
            "sheaf_diffusion: dx has 2 elements; it must have 1");
  EXPECT_EQ(message_of(diffusion.diffuse(two, two)),
            "sheaf_diffusion: x[1] is nan; it must be finite");
  EXPECT_EQ(message_of(diffusion.diffuse(two, two, {.step = -1})),
            "sheaf_diffusion: step is -1 and tolerance 1e-06; neither may be below 0");
  two[1] = 0;
  EXPECT_EQ(message_of(diffusion.diffuse(two, two, {.step = 100})),
            "sheaf_diffusion: a step of 100 leaves the range of f32 in 1000 iterations; at most "
            "0.5 is safe");
}

TEST(SheafDiffusion, AllocatesNothingAfterItsFirstCall) {
  testing::CountingDevice device(testing::opened("opencl"));
  const Sheaf sheaf = random_sheaf(8, 6, 21);
  auto diffusion = good(SheafDiffusion::make(device, sheaf));
  const Floats x = random_floats(node_space(sheaf), 1);
  Floats out(x.size());
  Floats disagreement(6);
  EXPECT_EQ(testing::steady_allocations(device,
                                        [&] {
                                          good(diffusion.diffuse(x, out, {.max_iters = 5}));
                                          good(diffusion.laplacian(x, out));
                                          good(diffusion.disagreement(x, disagreement));
                                        }),
            0U);
}

}  // namespace
}  // namespace vyre::primitives
