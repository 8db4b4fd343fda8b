#include "search/surrogate.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace vyre::search {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<Eigen::VectorXf> vector(float* first, std::size_t size) {
  return {first, static_cast<Eigen::Index>(size)};
}
Eigen::Map<const Eigen::VectorXf> vector(const float* first, std::size_t size) {
  return {first, static_cast<Eigen::Index>(size)};
}

// The factor of the first n rows, of which the lower half counts.
Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> factor_of(const std::vector<float>& rows,
                                                            std::size_t n, std::size_t stride) {
  return {rows.data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n),
          Eigen::OuterStride<>(static_cast<Eigen::Index>(stride))};
}

}  // namespace

Surrogate::Surrogate(const Features& features, const Settings& settings,
                     std::span<const space::Index> candidates)
    : features_(&features),
      fisher_(settings.fisher),
      most_rows_(settings.rows),
      blocks_((candidates.size() + lanes - 1) / lanes),
      factor_(most_rows_ * most_rows_),
      x_(blocks_ * features.count()),
      v_(blocks_ * most_rows_),
      built_(blocks_, 0),
      variance_(blocks_ * lanes, 1.0F) {
  for (std::size_t slot = 0; slot < candidates.size(); ++slot) place(slot, candidates[slot]);
}

void Surrogate::place(std::size_t slot, space::Index candidate) {
  const std::size_t first = slot / lanes * features_->count();
  for (std::size_t f = 0; f < features_->count(); ++f) {
    x_[first + f][slot % lanes] = features_->at(candidate, f);
  }
}

void Surrogate::rebuild(const Covariance& covariance, std::span<const space::Index> candidates,
                        std::span<const space::Index> rows, std::span<const double> noise) {
  covariance_ = covariance;
  for (std::size_t slot = 0; slot < candidates.size(); ++slot) place(slot, candidates[slot]);
  truncate(0);
  for (std::size_t i = 0; i < rows.size(); ++i) append(rows[i], noise[i]);
  std::ranges::fill(variance_, 1.0F);
}

// One more row of the Cholesky factor: L l = k, and what is left of the diagonal.
void Surrogate::append(space::Index row, double noise) {
  const std::size_t n = rows_.size();
  std::vector<float> x = features_->row(row);
  float* const l = &factor_[n * most_rows_];
  l[n] = 1;
  if (fisher_) {
    for (std::size_t j = 0; j < n; ++j) l[j] = covariance_.between(x, row_features_[j]);
    auto solved = vector(l, n);
    factor_of(factor_, n, most_rows_).triangularView<Eigen::Lower>().solveInPlace(solved);
    const double remainder = 1 + covariance_.noise + noise - solved.cast<double>().squaredNorm();
    l[n] = static_cast<float>(std::sqrt(std::max(remainder, 1e-6)));
  }
  rows_.push_back(row);
  noise_.push_back(noise);
  row_features_.push_back(std::move(x));
}

void Surrogate::truncate(std::size_t rows) {
  rows_.resize(rows);
  noise_.resize(rows);
  row_features_.resize(rows);
  for (std::size_t block = 0; block < blocks_; ++block) {
    const Lanes* v = columns(block);
    float* variance = &variance_[block * lanes];
    for (std::size_t& built = built_[block]; built > rows;) {
      --built;
      for (std::size_t c = 0; fisher_ && c < lanes; ++c) variance[c] += v[built][c] * v[built][c];
    }
  }
}

void Surrogate::extend_block(std::size_t block, std::size_t row) {
  Lanes* v = columns(block);
  const std::span<const float> l = factor_row(row);
  Lanes sum;
  covariance_.against(row_features_[row], features_of(block), sum);
  for (std::size_t j = 0; fisher_ && j < row; ++j) {
    for (std::size_t c = 0; c < lanes; ++c) sum[c] -= l[j] * v[j][c];
  }
  const float inverse = 1.0F / l[row];
  float* variance = &variance_[block * lanes];
  for (std::size_t c = 0; c < lanes; ++c) {
    v[row][c] = sum[c] * inverse;
    if (fisher_) variance[c] -= v[row][c] * v[row][c];
  }
}

void Surrogate::replace(std::size_t slot, space::Index candidate) {
  catch_up(slot / lanes);
  place(slot, candidate);
  const std::vector<float> x = features_->row(candidate);
  Lanes* v = columns(slot / lanes);
  const std::size_t c = slot % lanes;
  variance_[slot] = 1;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    float sum = covariance_.between(x, row_features_[i]);
    const std::span<const float> l = factor_row(i);
    for (std::size_t j = 0; fisher_ && j < i; ++j) sum -= l[j] * v[j][c];
    v[i][c] = sum / l[i];
    if (fisher_) variance_[slot] -= v[i][c] * v[i][c];
  }
}

std::vector<float> Surrogate::weights(std::span<const double> y) const {
  std::vector<float> w(rows_.size(), 0.0F);
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (std::isnan(y[i])) continue;
    const float* const l = factor_row(i).data();
    const float predicted = fisher_ ? vector(l, i).dot(vector(w.data(), i)) : 0;
    w[i] = (static_cast<float>(y[i]) - predicted) / l[i];
  }
  return w;
}

// In strips of half a block: the sums of both sets stay in registers.
void Surrogate::means(std::size_t block, const std::array<std::vector<float>, 2>& weights,
                      std::array<Lanes, 2>& out) {
  catch_up(block);
  constexpr std::size_t strip = lanes / 2;
  const Lanes* v = columns(block);
  for (std::size_t first = 0; first < lanes; first += strip) {
    std::array<float, strip> a = {};
    std::array<float, strip> b = {};
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      const float* vj = &v[j][first];
      for (std::size_t c = 0; c < strip; ++c) a[c] += weights[0][j] * vj[c];
      for (std::size_t c = 0; c < strip; ++c) b[c] += weights[1][j] * vj[c];
    }
    std::ranges::copy(a, &out[0][first]);
    std::ranges::copy(b, &out[1][first]);
  }
}

}  // namespace vyre::search
