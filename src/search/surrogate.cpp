#include "search/surrogate.h"

#include <algorithm>
#include <cmath>

namespace vyre::search {

Surrogate::Surrogate(const Features& features, const Settings& settings,
                     std::span<const space::Index> candidates)
    : features_(&features),
      fisher_(settings.fisher),
      most_rows_(settings.rows),
      blocks_((candidates.size() + lanes - 1) / lanes),
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

void Surrogate::rebuild(const Kernel& kernel, std::span<const space::Index> candidates,
                        std::span<const space::Index> rows, std::span<const double> noise) {
  kernel_ = kernel;
  for (std::size_t slot = 0; slot < candidates.size(); ++slot) place(slot, candidates[slot]);
  rows_.clear();
  row_features_.clear();
  factor_.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) append(rows[i], noise[i]);
  std::ranges::fill(variance_, 1.0F);
  std::ranges::fill(built_, 0U);
}

void Surrogate::append(space::Index row, double noise) {
  const std::size_t n = rows_.size();
  std::vector<float> x = features_->row(row);
  std::vector<float> l(n + 1, 0.0F);
  double rest = 1 + kernel_.noise + noise;
  for (std::size_t j = 0; fisher_ && j < n; ++j) {
    float sum = kernel_.between(x, row_features_[j]);
    for (std::size_t k = 0; k < j; ++k) sum -= l[k] * factor_[j][k];
    l[j] = sum / factor_[j][j];
    rest -= static_cast<double>(l[j]) * static_cast<double>(l[j]);
  }
  l[n] = fisher_ ? static_cast<float>(std::sqrt(std::max(rest, 1e-6))) : 1.0F;
  rows_.push_back(row);
  row_features_.push_back(std::move(x));
  factor_.push_back(std::move(l));
}

void Surrogate::extend_block(std::size_t block, std::size_t row) {
  Lanes* v = columns(block);
  const std::vector<float>& l = factor_[row];
  Lanes sum;
  kernel_.against(row_features_[row], features_of(block), sum);
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
    float sum = kernel_.between(x, row_features_[i]);
    for (std::size_t j = 0; fisher_ && j < i; ++j) sum -= factor_[i][j] * v[j][c];
    v[i][c] = sum / factor_[i][i];
    if (fisher_) variance_[slot] -= v[i][c] * v[i][c];
  }
}

std::vector<float> Surrogate::weights(std::span<const double> y) const {
  std::vector<float> w(rows_.size(), 0.0F);
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (std::isnan(y[i])) continue;
    auto rest = static_cast<float>(y[i]);
    for (std::size_t j = 0; fisher_ && j < i; ++j) rest -= factor_[i][j] * w[j];
    w[i] = rest / factor_[i][i];
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
