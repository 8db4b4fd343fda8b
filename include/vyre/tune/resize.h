// Changes a workgroup's size while a program runs, from what it reports.
//
// Idle too long: half the size. Not enough done per microsecond: double it. Else it stays. It
// cannot oscillate: a size that was left for a better one is returned to only on new evidence, when
// the size in use has become worse than that one was, and each return asks for more of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace vyre::tune {

struct ResizeOptions {
  std::uint32_t max = 1024;
  std::uint32_t min = 32;
  double saturation = 1.0;  // operations per microsecond that are enough
  std::uint64_t idle_limit_us = 100'000;
};

// What was seen since the last change.
struct Feedback {
  std::uint64_t operations = 0;
  std::uint64_t wall_us = 0;
  std::uint64_t idle_us = 0;
  std::uint32_t size = 64;                  // in use
  std::optional<double> throughput_per_us;  // if not given, operations / wall_us
};

class Resizer {
 public:
  explicit Resizer(const ResizeOptions& options = {}) : options_(options) {}

  // The size to use from now on.
  [[nodiscard]] std::uint32_t next(const Feedback& feedback);

 private:
  struct Memory {
    double throughput = 0;   // when it was last in use
    std::uint32_t left = 0;  // how often it was left
  };
  [[nodiscard]] std::uint32_t wanted(const Feedback& feedback, double throughput) const;
  [[nodiscard]] bool worth_a_return(std::uint32_t size, double now) const;

  ResizeOptions options_;
  std::map<std::uint32_t, Memory> seen_;
};

}  // namespace vyre::tune
