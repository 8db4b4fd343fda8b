#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "primitives/newton_schulz_programs.h"
#include "primitives/suite.h"
#include "support/allocations.h"
#include "support/device.h"

namespace vyre::primitives {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Random and symmetric, with eigenvalues spread evenly on a log scale from 1 to the condition
// number.
std::vector<float> random_spd(std::uint32_t n, double condition, std::uint32_t seed) {
  const auto entries = doubles(random_floats(std::size_t{n} * n, seed));
  const MatrixXd square = Eigen::Map<const MatrixXd>(entries.data(), n, n);
  const MatrixXd turn = square.householderQr().householderQ();
  const VectorXd logs = VectorXd::LinSpaced(n, 0, std::log(condition));
  const MatrixXd spd = turn * logs.array().exp().matrix().asDiagonal() * turn.transpose();
  std::vector<float> m(entries.size());
  Eigen::Map<Eigen::MatrixXf>(m.data(), n, n) = (0.5 * (spd + spd.transpose())).cast<float>();
  return m;
}

MatrixXd by_eigen(const std::vector<float>& m, std::uint32_t n) {
  const MatrixXd exact = Eigen::Map<const Eigen::MatrixXf>(m.data(), n, n).cast<double>();
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(exact).operatorInverseSqrt();
}

double relative_error(const std::vector<float>& root, const MatrixXd& expected) {
  const auto n = expected.rows();
  const MatrixXd got = Eigen::Map<const Eigen::MatrixXf>(root.data(), n, n).cast<double>();
  return (got - expected).norm() / expected.norm();
}

}  // namespace

std::vector<Case> newton_schulz_cases() {
  const std::vector<float> m = random_spd(8, 100, 5);
  Case both{.name = "newton_schulz",
            .programs = good(newton_schulz_programs({.n = 8, .working = Scalar::f64})),
            .run = [=](device::Device& device) -> Result<std::vector<double>> {
              auto inverse_sqrt = NewtonSchulz::make(device, {.n = 8});
              if (!inverse_sqrt) return Unexpected(inverse_sqrt.error());
              std::vector<float> root(64);
              const auto report = (*inverse_sqrt)(m, root);
              if (!report) return Unexpected(report.error());
              return doubles(root);
            },
            .expected = std::vector<double>(64),
            .tolerance = 1e-6};
  inverse_sqrt_reference(doubles(m), 8, both.expected);
  return {both};
}

namespace {

TEST(NewtonSchulz, OfADiagonalIsOneOverTheRootOfItsEntries) {
  const auto device = testing::opened("opencl");
  if (!testing::has_f64(*device)) GTEST_SKIP() << "the device has no f64";
  auto inverse_sqrt = good(NewtonSchulz::make(*device, {.n = 2}));
  std::vector<float> root(4);
  const auto report = good(inverse_sqrt(std::vector<float>{4, 0, 0, 0.25F}, root));
  EXPECT_EQ(root, (std::vector<float>{0.5F, 0, 0, 2}));
  EXPECT_LE(report.residual, 1e-9);
  EXPECT_GT(report.iterations, 2U);
}

TEST(NewtonSchulz, OfTheIdentityIsTheIdentityWithoutIterating) {
  const auto device = testing::opened("opencl");
  auto inverse_sqrt = good(NewtonSchulz::make(*device, {.n = 2}));
  std::vector<float> root(4);
  const auto report = good(inverse_sqrt(std::vector<float>{1, 0, 0, 1}, root));
  EXPECT_EQ(root, (std::vector<float>{1, 0, 0, 1}));
  EXPECT_EQ(report.iterations, 0U);
}

TEST(NewtonSchulz, AgreesWithAnEigendecompositionUpToAConditionOfTenThousand) {
  const auto device = testing::opened("opencl");
  if (!testing::has_f64(*device)) GTEST_SKIP() << "the device has no f64";
  for (const std::uint32_t n : {2U, 17U, 64U}) {
    auto inverse_sqrt = good(NewtonSchulz::make(*device, {.n = n}));
    std::vector<float> root(std::size_t{n} * n);
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
      for (const double condition : {1.0, 30.0, 1e4}) {
        const std::vector<float> m = random_spd(n, condition, seed);
        const auto report = good(inverse_sqrt(m, root));
        EXPECT_LE(relative_error(root, by_eigen(m, n)), 1e-6)
            << n << " " << condition << " iterations " << report.iterations;
      }
    }
  }
}

TEST(NewtonSchulz, IsGoodToATenThousandthInSinglePrecision) {
  const auto device = testing::opened("opencl");
  auto inverse_sqrt = good(NewtonSchulz::make(*device, {.n = 64, .working = Scalar::f32}));
  std::vector<float> root(64 * 64);
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const std::vector<float> m = random_spd(64, 1e4, seed);
    const auto report = good(inverse_sqrt(m, root));
    EXPECT_LE(relative_error(root, by_eigen(m, 64)), 1e-4)
        << "residual " << report.residual << " after " << report.iterations;
  }
}

TEST(NewtonSchulz, HoldsAtTheEndsOfTheRangeOfFloats) {
  const auto device = testing::opened("opencl");
  auto inverse_sqrt = good(NewtonSchulz::make(*device, {.n = 2}));
  std::vector<float> root(4);
  good(inverse_sqrt(std::vector<float>{0x1p-126F, 0, 0, 0x1p-120F}, root));
  EXPECT_EQ(root, (std::vector<float>{0x1p63F, 0, 0, 0x1p60F}));
  good(inverse_sqrt(std::vector<float>{0x1p126F, 0, 0, 0x1p126F}, root));
  EXPECT_EQ(root, (std::vector<float>{0x1p-63F, 0, 0, 0x1p-63F}));
}

TEST(NewtonSchulz, ReportsWhatIsNotPositiveDefiniteWithTheNumbers) {
  const auto device = testing::opened("opencl");
  if (!testing::has_f64(*device)) GTEST_SKIP() << "the device has no f64";
  auto inverse_sqrt = good(NewtonSchulz::make(*device, {.n = 2}));
  std::vector<float> root(4);
  const std::string prefix = "newton_schulz_inverse_sqrt: ";
  EXPECT_EQ(message_of(inverse_sqrt(std::vector<float>{1, 0, 0, -2}, root)),
            prefix + "m is not positive definite: m[1][1] is -2");
  EXPECT_EQ(message_of(inverse_sqrt(std::vector<float>{1, 2, 2, 1}, root)),
            prefix +
                "m is not positive definite: the residual grew from 1.275 to 1.661 in "
                "iteration 1; add damping to its diagonal");
  EXPECT_EQ(message_of(inverse_sqrt(std::vector<float>{1, 1, 1, 1}, root)),
            prefix +
                "did not converge in 60 iterations: the residual is 1 and the tolerance 1e-09; "
                "m is singular or nearly so: add damping to its diagonal");
  EXPECT_EQ(message_of(inverse_sqrt(std::vector<float>{1, 0.5F, 0, 1}, root)),
            prefix + "m is not symmetric: m[1][0] is 0 and m[0][1] is 0.5");
  EXPECT_EQ(message_of(inverse_sqrt(std::vector<float>{1, NAN, NAN, 1}, root)),
            prefix + "m[1] is nan; it must be finite");
  EXPECT_TRUE(inverse_sqrt(std::vector<float>{1, 0, 0, 1}, root)) << "it can be used again";
}

TEST(NewtonSchulz, RefusesBadShapesByNameAndNumber) {
  EXPECT_EQ(message_of(newton_schulz_programs({.n = 0})),
            "newton_schulz_inverse_sqrt: n is 0; it must be at least 1");
  EXPECT_EQ(message_of(newton_schulz_programs({.n = 70000})),
            "newton_schulz_inverse_sqrt: n * n = 70000 * 70000 elements is over 4294967295");
  const auto device = testing::opened("reference");
  auto inverse_sqrt = good(NewtonSchulz::make(*device, {.n = 2}));
  std::vector<float> four(4);
  std::vector<float> three(3);
  EXPECT_EQ(message_of(inverse_sqrt(three, four)),
            "newton_schulz_inverse_sqrt: m has 3 elements; it must have 4");
  EXPECT_EQ(message_of(inverse_sqrt(four, three)),
            "newton_schulz_inverse_sqrt: root has 3 elements; it must have 4");
}

TEST(NewtonSchulz, AllocatesNothingOnceItIsMade) {
  testing::CountingDevice device(testing::opened("opencl"));
  auto inverse_sqrt = good(NewtonSchulz::make(device, {.n = 2}));
  const std::vector<float> m = {4, 1, 1, 3};
  std::vector<float> root(4);
  EXPECT_EQ(testing::steady_allocations(device, [&] { good(inverse_sqrt(m, root)); }), 0U);
}

}  // namespace
}  // namespace vyre::primitives
