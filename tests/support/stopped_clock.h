// A clock that stands still: limits of time are never reached, however slow the machine is.
#pragma once

#include "base/clock.h"

namespace vyre::testing {

class StoppedClock final : public Clock {
 public:
  [[nodiscard]] std::chrono::nanoseconds now() override { return {}; }
};

}  // namespace vyre::testing
