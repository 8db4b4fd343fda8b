// Random numbers that are the same on every machine (the standard library's distributions are not):
// splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace vyre::search {

class Random {
 public:
  // The state is scrambled once, else neighbouring seeds would walk the same sequence.
  explicit Random(std::uint64_t seed) : state_(seed) { state_ = next() * 0x2545f4914f6cdd1dU; }

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  // Below `end`, which is not 0. The bias is under end / 2^64.
  std::uint64_t below(std::uint64_t end) { return next() % end; }

  // In (0, 1).
  double unit() { return (static_cast<double>(next() >> 11U) + 0.5) * 0x1p-53; }

  // Puts a uniformly random order on the elements from `first` on.
  template <class T>
  void shuffle(std::vector<T>& values, std::size_t first = 0) {
    for (std::size_t left = values.size(); left > first + 1; --left) {
      std::swap(values[left - 1], values[first + below(left - first)]);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace vyre::search
