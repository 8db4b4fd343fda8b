// Random numbers that are the same for a seed with every library: the standard's distributions are
// not.
#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <utility>

namespace vyre::measure {

// From 0 to below `count`, by multiplication: the bias is below 2^-32 for what is counted here.
[[nodiscard]] inline std::size_t below(std::mt19937_64& random, std::size_t count) {
  return static_cast<std::size_t>(((random() >> 32U) * count) >> 32U);
}

template <class T>
void shuffle(std::span<T> items, std::mt19937_64& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(random, i)]);
}

}  // namespace vyre::measure
