// Measures what a device can do at most, by small programs in the workers: one that reads, one that
// copies, and chains of multiplications and additions that do not wait for each other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "trial/evaluator.h"
#include "tune/bound.h"
#include "vyre/base/error.h"

namespace vyre::tune {

class RoofMeter {
 public:
  // The evaluator must outlive it, and have nothing pending when it is used.
  explicit RoofMeter(trial::Evaluator& evaluator) : evaluator_(evaluator) {}

  // For programs that move so many bytes: memory is as fast as the cache that they fit into, and
  // what it takes to launch is in it. Measured once for each size, over as many bytes, but not over
  // more than 64 MB. All of it is positive and finite.
  [[nodiscard]] Result<Roof> at(std::uint64_t bytes);

 private:
  // Bytes in a nanosecond: of a program that only reads, of one that copies, counted once.
  struct Memory {
    double read = 0;
    double copied = 0;
  };

  [[nodiscard]] Result<Memory> memory(std::uint64_t bytes);
  [[nodiscard]] Result<double> arithmetic();

  trial::Evaluator& evaluator_;
  std::map<std::uint64_t, Memory> memory_;  // by bytes
  std::optional<double> arithmetic_;
};

// Bytes that are written in a nanosecond, from the rates of reading and of copying: a copy takes as
// long as reading and then writing.
[[nodiscard]] double writing_rate(double read, double copied);

}  // namespace vyre::tune
