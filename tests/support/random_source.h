// Random choices that are the same on every machine for a seed.
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace vyre::testing {

class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  // 0 .. n - 1
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }
  // True once in n times.
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  template <class Choices>
  auto pick(const Choices& choices) {
    return *(std::begin(choices) +
             static_cast<std::ptrdiff_t>(below(static_cast<std::uint32_t>(std::size(choices)))));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace vyre::testing
