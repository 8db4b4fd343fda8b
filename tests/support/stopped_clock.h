// A clock that stands still until it is told to go on: limits of time are reached when a test wants
// it, however slow the machine is.
#pragma once

#include "base/clock.h"

namespace vyre::testing {

class StoppedClock final : public Clock {
 public:
  [[nodiscard]] std::chrono::nanoseconds now() override { return now_; }
  void advance(std::chrono::nanoseconds time) { now_ += time; }

 private:
  std::chrono::nanoseconds now_{};
};

}  // namespace vyre::testing
