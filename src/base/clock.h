// Time as it passes, injected where it is measured or limited, so that tests need not wait.
#pragma once

#include <chrono>
#include <cstdint>

namespace vyre {

class Clock {
 public:
  virtual ~Clock() = default;
  // Since some fixed moment; never goes back.
  [[nodiscard]] virtual std::chrono::nanoseconds now() = 0;
};

// The system's monotonic clock.
[[nodiscard]] Clock& steady_clock();

// The CPU time that this process has used in all its threads.
[[nodiscard]] std::uint64_t process_cpu_ns();

}  // namespace vyre
