// What preconditioning is for: steps on f(x) = x^T A x / 2, whose Fisher matrix is A.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>

#include "primitives/suite.h"
#include "support/device.h"
#include "vyre/primitives/kfac.h"
#include "vyre/primitives/natural_gradient.h"

namespace vyre::primitives {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Floats = std::vector<float>;

constexpr std::uint32_t n = 8;
constexpr std::uint32_t limit = 200'000;

struct Quadratic {
  MatrixXd a;
  Floats entries = Floats(n * n);

  // Eigenvalues from 1 to the condition number, evenly on a log scale.
  explicit Quadratic(double condition) {
    const auto random = doubles(random_floats(n * n, 31));
    const MatrixXd turn =
        Eigen::Map<const MatrixXd>(random.data(), n, n).householderQr().householderQ();
    const VectorXd logs = VectorXd::LinSpaced(n, 0, std::log(condition));
    a = turn * logs.array().exp().matrix().asDiagonal() * turn.transpose();
    Eigen::Map<Eigen::MatrixXf>(entries.data(), n, n) = (0.5 * (a + a.transpose())).cast<float>();
  }
};

using Direction = std::function<VectorXd(const VectorXd&)>;  // of a gradient

// Steps until |x| is a millionth of what it was.
std::uint32_t steps_needed(const Quadratic& f, double rate, const Direction& direction) {
  VectorXd x = VectorXd::Ones(n);
  const double target = 1e-6 * x.norm();
  for (std::uint32_t step = 0; step < limit; ++step) {
    if (x.norm() <= target) return step;
    x -= rate * direction(f.a * x);
  }
  return limit;
}

// W g on the device, in f32.
Direction preconditioned(NaturalGradient& apply, const Floats& w) {
  return [&](const VectorXd& g) {
    Floats in(n);
    Floats out(n);
    for (std::uint32_t i = 0; i < n; ++i) in[i] = static_cast<float>(g[i]);
    good(apply(w, in, out));
    return VectorXd(Eigen::Map<const Eigen::VectorXf>(out.data(), n).cast<double>());
  };
}

struct Steps {
  std::uint32_t plain = 0;
  std::uint32_t root = 0;   // F^(-1/2) g
  std::uint32_t exact = 0;  // F^(-1) g
};

// Each at the rate that is best for it: 2 / (largest + smallest eigenvalue of what multiplies x).
Steps steps_at(device::Device& device, double condition) {
  const Quadratic f(condition);
  auto inverse_sqrt = good(NewtonSchulz::make(device, {.n = n}));
  auto invert = good(KfacBlockInverse::make(device, {.num_blocks = 1, .n = n}));
  auto apply = good(NaturalGradient::make(device, {.n = n}));
  Floats root(n * n);
  Floats inverse(n * n);
  good(inverse_sqrt(f.entries, root));
  good(invert(f.entries, inverse));
  return {.plain = steps_needed(f, 2 / (condition + 1), [](const VectorXd& g) { return g; }),
          .root = steps_needed(f, 2 / (std::sqrt(condition) + 1), preconditioned(apply, root)),
          .exact = steps_needed(f, 1, preconditioned(apply, inverse))};
}

TEST(NaturalGradientOnAQuadratic, NeedsStepsThatDoNotGrowWithTheConditionNumber) {
  const auto device = testing::opened("opencl");
  for (const double condition : {1e2, 1e3, 1e4}) {
    const Steps steps = steps_at(*device, condition);
    SCOPED_TRACE(::testing::Message()
                 << "condition " << condition << ": plain " << steps.plain << ", inverse root "
                 << steps.root << ", exact " << steps.exact);
    EXPECT_LE(steps.exact, 3U);
    // A plain step contracts by (c - 1) / (c + 1), and the inverse root turns c into its root.
    EXPECT_NEAR(steps.plain, 7 * condition, 0.35 * 7 * condition);
    EXPECT_NEAR(steps.root, 7 * std::sqrt(condition), 0.35 * 7 * std::sqrt(condition));
  }
}

}  // namespace
}  // namespace vyre::primitives
