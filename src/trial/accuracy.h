// How far floats may be from what is expected: some times as far as the program as it is comes from
// the same evaluated in a higher precision.
//
// Errors are gathered by the magnitude of the exact value. What is allowed for a value is the
// largest error seen on values of up to 256 times its size: no error of a large value excuses a
// small one. Sums that nearly cancel are rarer than that, and as wrong, absolutely, as others: some
// times the median error is allowed for every value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace vyre::trial {

class Accuracy {
 public:
  // How much worse than the program as it is may be.
  static constexpr double factor = 4;
  static constexpr double medians = 2;

  // One element. What is not finite says nothing.
  void see(double exact, double computed);
  // After the last one. The errors count as so many times as large: those of a program in another
  // precision.
  void settle(double scale = 1);

  // How far from this value a result may be. Requires: settled.
  [[nodiscard]] double allowed(double expected) const;
  // The largest error over the value's magnitude.
  [[nodiscard]] double worst() const { return scale_ * worst_; }

 private:
  // One for each power of two that an f64 may have, the least for 0 and what is below all of them.
  static constexpr int least_exponent = -1075;
  static constexpr int greatest_exponent = 1024;
  static constexpr int neighbours = 8;
  static constexpr std::size_t exponents = greatest_exponent - least_exponent + 1;
  static std::size_t index_of(double value);
  [[nodiscard]] double median() const;

  std::array<double, exponents> errors_ = {};         // the largest up to each power of two
  std::array<std::uint64_t, exponents> counts_ = {};  // of the errors, by their own power of two
  std::uint64_t seen_ = 0;                            // that are not 0
  double scale_ = 1;
  double median_ = 0;
  double worst_ = 0;
};

}  // namespace vyre::trial
