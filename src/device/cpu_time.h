// The CPU time that this process has used in all its threads.
#pragma once

#include <cstdint>
#include <ctime>

namespace vyre::device {

[[nodiscard]] inline std::uint64_t process_cpu_ns() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(used.tv_nsec);
}

}  // namespace vyre::device
