// What the Gaussian process knows of a configuration: one number per feature.
//
// A parameter of positive numbers gives its logarithm, scaled to [0, 1], because sizes act by their
// ratios. Where whole numbers are not ordered by how often two divides them (16, 32, 48, 64, ...),
// that is a second feature: memory and warps care for alignment. Other numbers give their rank;
// text gives a 0 or 1 for each of its values, or its rank if there are more than eight.
// For a covariance that only compares values (settings.h) the features are the digits themselves.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "search/settings.h"
#include "vyre/space/space.h"

namespace vyre::search {

class Features {
 public:
  Features(const space::Space& space, const Settings& settings);

  [[nodiscard]] std::size_t count() const { return columns_.size(); }
  [[nodiscard]] float at(space::Index index, std::size_t feature) const {
    const Column& column = columns_[feature];
    return column.values[space_.digit(index, column.parameter)];
  }
  // Requires count() places.
  void row(space::Index index, std::span<float> out) const;
  [[nodiscard]] std::vector<float> row(space::Index index) const;

 private:
  struct Column {
    std::size_t parameter = 0;
    std::vector<float> values;  // by digit
  };

  void add_smooth(std::size_t parameter, bool alignment);
  void add_text(std::size_t parameter, std::size_t values);

  space::Space space_;
  std::vector<Column> columns_;
};

}  // namespace vyre::search
