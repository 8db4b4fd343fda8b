// What a search costs the program that it works beside: by how much less its kernels did meanwhile.
//
// CPU time does not say it. A launch that is shared by all cores waits for the slowest, so one core
// taken may be all of them, and what is bound by memory waits for that; on a device of its own
// nothing is lost at all. So the work of the program's launches while the search works is compared
// with that of the time before, when it was at rest.
#pragma once

#include <chrono>

namespace vyre::tune {

class LiveLoss {
 public:
  // A stretch of time, and the work of the launches in it: what they take at rest.
  void rested(std::chrono::nanoseconds time, std::chrono::nanoseconds work);
  void worked(std::chrono::nanoseconds time, std::chrono::nanoseconds work);

  [[nodiscard]] std::chrono::nanoseconds lost() const { return lost_; }

 private:
  using Seconds = std::chrono::duration<double>;

  Seconds rest_time_{};  // lately
  Seconds rest_work_{};  // in that
  std::chrono::nanoseconds lost_{};
};

}  // namespace vyre::tune
