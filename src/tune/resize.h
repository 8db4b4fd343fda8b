// Changes a size while a program runs, a workgroup's or a batch's, from what it reports.
//
// Idle too long: half the size. Not enough done per microsecond: double it. Else it stays. It
// cannot oscillate: a size is returned to only when the size in use does less than that one did; if
// that one was left for a better one, only when it does less than half. Every further return to it
// asks for half of that. What was seen of a size can be forgotten after some reports, so that it
// follows a load that changes for good.
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
  // Reports after which a size that was not in use since counts as never seen; 0: it always counts.
  std::uint32_t memory = 0;
};

// What was seen since the last change.
struct Feedback {
  std::uint64_t operations = 0;
  std::uint64_t wall_us = 0;
  std::uint64_t idle_us = 0;
  std::uint32_t size = 64;                  // in use; 0: none yet
  std::optional<double> throughput_per_us;  // if not given, operations / wall_us; nan is none
};

class Resizer {
 public:
  explicit Resizer(const ResizeOptions& options = {}) : options_(options) {}

  // The size to use from now on. Of a size of 0 nothing is learned: the answer is the least, and at
  // least 1. It never exceeds the largest of `max` and the size in use.
  [[nodiscard]] std::uint32_t next(const Feedback& feedback);
  // From the next report on.
  void limit(const ResizeOptions& options) { options_ = options; }

 private:
  struct Memory {
    double throughput = 0;   // when it was last in use
    std::uint32_t left = 0;  // how often it was left
    std::uint64_t last = 0;  // the report that it was last in use for
    bool worse = false;      // than the size that it was left for, when that was first seen
  };
  struct Move {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };
  void forget();
  void judge(const Feedback& feedback, double throughput);
  [[nodiscard]] std::uint32_t wanted(const Feedback& feedback, double throughput) const;
  [[nodiscard]] bool worth_a_return(std::uint32_t size, double now) const;

  ResizeOptions options_;
  std::map<std::uint32_t, Memory> seen_;
  std::uint64_t reports_ = 0;
  std::optional<Move> move_;  // the last one, until it is judged
};

}  // namespace vyre::tune
