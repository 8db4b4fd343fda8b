#include "search/fit.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "primitives/kfac_program.h"

namespace vyre::search {
namespace {

constexpr double prior_weight = 2;
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

// The parameters: log scales (of a smooth kernel only), then the log of the noise.
class Problem {
 public:
  Problem(const Kernel& kernel, std::span<const float> rows, std::span<const double> y)
      : kernel_(kernel), rows_(rows), y_(y), n_(y.size()), features_(kernel.scales.size()) {
    const std::size_t scales = kernel.likeness == Likeness::smooth ? features_ : 0;
    for (std::size_t f = 0; f < scales; ++f) {
      at.push_back(std::log(static_cast<double>(kernel.scales[f])));
    }
    at.push_back(std::log(kernel.noise));
    gradient.resize(at.size());
  }

  [[nodiscard]] const Prior& prior(std::size_t p) const {
    return p + 1 == at.size() ? noise_prior : scale_prior;
  }

  void store(Kernel& kernel) const {
    for (std::size_t f = 0; f + 1 < at.size(); ++f) {
      kernel.scales[f] = static_cast<float>(std::exp(at[f]));
    }
    kernel.noise = std::exp(at.back());
  }

  // Fills `gradient`, and returns the value.
  double evaluate();

  std::vector<double> at;
  std::vector<double> gradient;

 private:
  void fill_matrix();
  [[nodiscard]] double log_determinant() const;
  void differentiate(double s2);

  Kernel kernel_;
  std::span<const float> rows_;
  std::span<const double> y_;
  std::size_t n_;
  std::size_t features_;
  std::vector<double> matrix_, inverse_, alpha_;
};

void Problem::fill_matrix() {
  store(kernel_);
  matrix_.assign(n_ * n_, 0.0);
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double k = static_cast<double>(kernel_.between(
          rows_.subspan(i * features_, features_), rows_.subspan(j * features_, features_)));
      matrix_[i * n_ + j] = matrix_[j * n_ + i] = k;
    }
    matrix_[i * n_ + i] = 1 + kernel_.noise;
  }
}

double Problem::log_determinant() const {
  std::vector<double> l = matrix_;
  double sum = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double v = l[i * n_ + j];
      for (std::size_t k = 0; k < j; ++k) v -= l[i * n_ + k] * l[j * n_ + k];
      l[i * n_ + j] = i == j ? std::sqrt(std::max(v, 1e-10)) : v / l[j * n_ + j];
    }
    sum += 2 * std::log(l[i * n_ + i]);
  }
  return sum;
}

double Problem::evaluate() {
  fill_matrix();
  inverse_.resize(n_ * n_);
  if (!primitives::kfac_block_inverse_reference(matrix_, static_cast<std::uint32_t>(n_),
                                                inverse_)) {
    std::ranges::fill(gradient, 0.0);
    return -HUGE_VAL;
  }
  alpha_.assign(n_, 0.0);
  double energy = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) alpha_[i] += inverse_[i * n_ + j] * y_[j];
    energy += alpha_[i] * y_[i];
  }
  const double count = static_cast<double>(n_) + prior_weight;
  const double s2 = (std::max(energy, 0.0) + prior_weight) / count;
  double value = -0.5 * count * std::log(s2) - 0.5 * log_determinant();
  differentiate(s2);
  for (std::size_t p = 0; p < at.size(); ++p) {
    const double away = (at[p] - prior(p).centre) / prior(p).width;
    value -= 0.5 * away * away;
    gradient[p] -= away / prior(p).width;
  }
  return value;
}

// 1/2 tr((alpha alpha' / s2 - (K + noise I)^-1) dK), with dk / dlog scale_f =
// 5/3 (1 + r) exp(-r) ((x_f - y_f) / scale_f)^2.
void Problem::differentiate(double s2) {
  std::ranges::fill(gradient, 0.0);
  std::vector<double> squares(features_);
  for (std::size_t i = 0; i < n_; ++i) {
    gradient.back() += 0.5 * (alpha_[i] * alpha_[i] / s2 - inverse_[i * n_ + i]) * kernel_.noise;
    for (std::size_t j = 0; at.size() > 1 && j < i; ++j) {
      double sum = 0;
      for (std::size_t f = 0; f < features_; ++f) {
        const double step = static_cast<double>(
            (rows_[i * features_ + f] - rows_[j * features_ + f]) / kernel_.scales[f]);
        squares[f] = step * step;
        sum += squares[f];
      }
      const double r = std::sqrt(5 * sum);
      const double weight =
          (alpha_[i] * alpha_[j] / s2 - inverse_[i * n_ + j]) * 5 / 3 * (1 + r) * std::exp(-r);
      for (std::size_t f = 0; f < features_; ++f) gradient[f] += weight * squares[f];
    }
  }
}

}  // namespace

// Steps by the sign of the gradient alone (Riedmiller and Braun, "A direct adaptive method for
// faster backpropagation learning: the RPROP algorithm", 1993): scales of dead features have
// gradients near zero, and those that matter have large ones.
void fit(Kernel& kernel, std::span<const float> rows, std::span<const double> y) {
  Problem problem(kernel, rows, y);
  std::vector<double> step(problem.at.size(), 0.2);
  std::vector<double> last(problem.at.size(), 0.0);
  double best = -HUGE_VAL;
  for (int i = 0; i < iterations; ++i) {
    const double value = problem.evaluate();
    if (value > best) {
      best = value;
      problem.store(kernel);
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

double log_posterior(const Kernel& kernel, std::span<const float> rows, std::span<const double> y) {
  return Problem(kernel, rows, y).evaluate();
}

}  // namespace vyre::search
