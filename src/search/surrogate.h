// The Gaussian process of the search over a pool of candidates; its mean is the natural-gradient
// step of a policy.
//
// The policy is log-linear, p(x) ~ exp(-f(x)), f(x) = phi(x)' theta. With the features phi of
// measured configurations in the rows of Phi, targets y (minus the advantage) and noise v, the
// Fisher-preconditioned step from the uniform policy and its value at a candidate x are
//
//   theta = (Phi' Phi + v I)^-1 Phi' y,   f(x) = phi(x)' theta = k(x)' (K + v I)^-1 y,
//
// K = Phi Phi', k(x) = Phi phi(x) (Kakade, "A natural policy gradient", 2001: for a log-linear
// policy the natural gradient is the regression of the advantage on the features). That is the mean
// of a Gaussian process with covariance K, and the same inverse gives its variance
// 1 - k(x)' (K + v I)^-1 k(x), times s^2. A row may have noise of its own, v + d in place of v.
// Without Fisher, theta = Phi' y and there is no variance.
//
// Each candidate keeps the column L^-1 k(x), LL' = K + v I, so that one more row costs one pass
// over the candidates and nothing is solved again.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "search/covariance.h"
#include "search/features.h"
#include "search/settings.h"

namespace vyre::search {

class Surrogate {
 public:
  // Requires at least one candidate.
  Surrogate(const Features& features, const Settings& settings,
            std::span<const space::Index> candidates);

  [[nodiscard]] std::span<const space::Index> rows() const { return rows_; }
  [[nodiscard]] double noise(std::size_t row) const { return noise_[row]; }

  // Starts again with this covariance and these candidates. Noise is that of each row, over the
  // covariance's.
  void rebuild(const Covariance& covariance, std::span<const space::Index> candidates,
               std::span<const space::Index> rows, std::span<const double> noise);
  // Requires fewer rows than the settings allow.
  void append(space::Index row, double noise);
  // Forgets all rows but the first ones.
  void truncate(std::size_t rows);
  // Puts another configuration in the place of a candidate.
  void replace(std::size_t slot, space::Index candidate);

  // L^-1 y. A row that is not known (nan) counts as what the rows before it predict.
  [[nodiscard]] std::vector<float> weights(std::span<const double> y) const;
  // The values at the candidates of one block, for two sets of weights in one pass.
  void means(std::size_t block, const std::array<std::vector<float>, 2>& weights,
             std::array<Lanes, 2>& out);
  [[nodiscard]] float variance(std::size_t slot) {
    catch_up(slot / lanes);
    return variance_[slot];
  }
  [[nodiscard]] std::size_t blocks() const { return blocks_; }
  // Of the candidates of one block, feature by feature.
  [[nodiscard]] std::span<const Lanes> features_of(std::size_t block) const {
    return std::span(x_).subspan(block * features_->count(), features_->count());
  }
  [[nodiscard]] const Covariance& covariance() const { return covariance_; }

 private:
  void place(std::size_t slot, space::Index candidate);
  void extend_block(std::size_t block, std::size_t row);
  void catch_up(std::size_t block) {
    while (built_[block] < rows_.size()) extend_block(block, built_[block]++);
  }
  [[nodiscard]] Lanes* columns(std::size_t block) { return &v_[block * most_rows_]; }
  [[nodiscard]] std::span<const float> factor_row(std::size_t row) const {
    return std::span(factor_).subspan(row * most_rows_, row + 1);
  }

  const Features* features_;
  bool fisher_;
  std::size_t most_rows_;
  std::size_t blocks_;
  Covariance covariance_;
  std::vector<space::Index> rows_;
  std::vector<double> noise_;  // of each row
  std::vector<std::vector<float>> row_features_;
  std::vector<float> factor_;       // L, most_rows_ places for each row
  std::vector<Lanes> x_;            // features of the candidates, by block
  std::vector<Lanes> v_;            // by block, most_rows_ for each
  std::vector<std::size_t> built_;  // rows of each block
  std::vector<float> variance_;
};

}  // namespace vyre::search
