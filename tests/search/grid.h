// Spaces of all combinations, for the tests of the search.
#pragma once

#include <string>
#include <vector>

#include "vyre/space/space.h"

namespace vyre::search {

// One list of values for each parameter; the first parameter changes fastest.
inline space::Space grid(const std::vector<std::vector<space::Value>>& values) {
  std::vector<space::Parameter> parameters;
  std::size_t count = 1;
  for (const auto& v : values) {
    parameters.push_back({"p" + std::to_string(parameters.size()), v});
    count *= v.size();
  }
  std::vector<space::Digit> rows;
  rows.reserve(count * values.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t remainder = i;
    for (const auto& v : values) {
      rows.push_back(static_cast<space::Digit>(remainder % v.size()));
      remainder /= v.size();
    }
  }
  return *space::Space::of(parameters, rows);
}

// The values 1, 2, ..., `values` for each of the parameters.
inline space::Space grid(std::size_t parameters, std::size_t values) {
  std::vector<space::Value> numbers;
  for (std::size_t v = 1; v <= values; ++v) numbers.emplace_back(static_cast<std::int64_t>(v));
  return grid(std::vector(parameters, numbers));
}

inline std::vector<space::Index> all_of(const space::Space& space) {
  std::vector<space::Index> all(space.size());
  for (space::Index i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

}  // namespace vyre::search
