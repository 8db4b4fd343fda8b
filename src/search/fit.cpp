#include "search/fit.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace vyre::search {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double fit_prior_weight = 2;
constexpr int iterations = 15;

struct Prior {
  double centre;
  double width;
  double least;
  double most;
};

// All in logarithms.
const Prior scale_prior{std::log(0.7), 1.0, std::log(0.05), std::log(20.0)};
const Prior noise_prior{std::log(1e-3), 1.5, std::log(1e-6), std::log(1.0)};

// The parameters: log scales (of a smooth covariance only), then the log of the noise.
class Problem {
 public:
  Problem(const Covariance& covariance, const FitData& data)
      : covariance_(covariance),
        data_(data),
        n_(static_cast<Eigen::Index>(data.y.size())),
        features_(static_cast<Eigen::Index>(covariance.scales.size())) {
    if (covariance.kind == CovarianceKind::smooth) {
      for (const float scale : covariance.scales) {
        at.push_back(std::log(static_cast<double>(scale)));
      }
    }
    at.push_back(std::log(covariance.noise));
    gradient.resize(at.size());
  }

  [[nodiscard]] const Prior& prior(std::size_t p) const {
    return p + 1 == at.size() ? noise_prior : scale_prior;
  }

  void store(Covariance& covariance) const {
    for (std::size_t f = 0; f + 1 < at.size(); ++f) {
      covariance.scales[f] = static_cast<float>(std::exp(at[f]));
    }
    covariance.noise = std::exp(at.back());
  }

  // Fills `gradient`, and returns the value.
  double evaluate();

  std::vector<double> at;
  std::vector<double> gradient;

 private:
  [[nodiscard]] std::span<const float> row(Eigen::Index i) const {
    return data_.rows.subspan(static_cast<std::size_t>(i * features_),
                              static_cast<std::size_t>(features_));
  }
  [[nodiscard]] MatrixXd matrix() const;
  void differentiate(const MatrixXd& outer);
  double add_priors();

  Covariance covariance_;
  FitData data_;
  Eigen::Index n_;
  Eigen::Index features_;
};

// K + noise I + D; the factorisation reads the lower half.
MatrixXd Problem::matrix() const {
  MatrixXd made(n_, n_);
  for (Eigen::Index i = 0; i < n_; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      made(i, j) = static_cast<double>(covariance_.between(row(i), row(j)));
    }
    made(i, i) = 1 + covariance_.noise + data_.noise[static_cast<std::size_t>(i)];
  }
  return made;
}

double Problem::evaluate() {
  store(covariance_);
  const Eigen::LLT<MatrixXd> factor(matrix());
  if (factor.info() != Eigen::Success) {
    std::ranges::fill(gradient, 0.0);
    return -HUGE_VAL;
  }
  const Eigen::Map<const VectorXd> y(data_.y.data(), n_);
  const VectorXd alpha = factor.solve(y);
  const double log_determinant = 2 * factor.matrixLLT().diagonal().array().log().sum();
  const double count = static_cast<double>(n_) + fit_prior_weight;
  const double s2 = (std::max(alpha.dot(y), 0.0) + fit_prior_weight) / count;
  differentiate(alpha * alpha.transpose() / s2 - factor.solve(MatrixXd::Identity(n_, n_)));
  return -0.5 * count * std::log(s2) - 0.5 * log_determinant + add_priors();
}

// 1/2 tr(outer dK), outer = alpha alpha' / s2 - (K + noise I + D)^-1, with dk / dlog scale_f =
// 5/3 (1 + r) exp(-r) ((x_f - y_f) / scale_f)^2.
void Problem::differentiate(const MatrixXd& outer) {
  std::ranges::fill(gradient, 0.0);
  gradient.back() = 0.5 * outer.trace() * covariance_.noise;
  if (at.size() == 1) return;
  std::vector<double> squares(static_cast<std::size_t>(features_));
  for (Eigen::Index i = 0; i < n_; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      double sum = 0;
      for (std::size_t f = 0; f < squares.size(); ++f) {
        const double step = static_cast<double>((row(i)[f] - row(j)[f]) / covariance_.scales[f]);
        squares[f] = step * step;
        sum += squares[f];
      }
      const double r = std::sqrt(5 * sum);
      const double weight = outer(i, j) * 5 / 3 * (1 + r) * std::exp(-r);
      for (std::size_t f = 0; f < squares.size(); ++f) gradient[f] += weight * squares[f];
    }
  }
}

// To the gradient; returns what they add to the value.
double Problem::add_priors() {
  double value = 0;
  for (std::size_t p = 0; p < at.size(); ++p) {
    const double away = (at[p] - prior(p).centre) / prior(p).width;
    value -= 0.5 * away * away;
    gradient[p] -= away / prior(p).width;
  }
  return value;
}

}  // namespace

// Steps by the sign of the gradient alone (Riedmiller and Braun, "A direct adaptive method for
// faster backpropagation learning: the RPROP algorithm", 1993): scales of dead features have
// gradients near zero, and those that matter have large ones.
void fit(Covariance& covariance, const FitData& data) {
  Problem problem(covariance, data);
  std::vector<double> step(problem.at.size(), 0.2);
  std::vector<double> last(problem.at.size(), 0.0);
  double best = -HUGE_VAL;
  for (int i = 0; i < iterations; ++i) {
    const double value = problem.evaluate();
    if (value > best) {
      best = value;
      problem.store(covariance);
    }
    for (std::size_t p = 0; p < step.size(); ++p) {
      const double slope = problem.gradient[p];
      if (slope * last[p] > 0) step[p] = std::min(step[p] * 1.3, 0.6);
      if (slope * last[p] < 0) step[p] *= 0.5;
      problem.at[p] = std::clamp(problem.at[p] + (slope > 0 ? step[p] : -step[p]),
                                 problem.prior(p).least, problem.prior(p).most);
      last[p] = slope;
    }
  }
}

double log_posterior(const Covariance& covariance, const FitData& data) {
  return Problem(covariance, data).evaluate();
}

}  // namespace vyre::search
