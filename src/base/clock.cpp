#include "base/clock.h"

namespace vyre {
namespace {

class SteadyClock final : public Clock {
 public:
  [[nodiscard]] std::chrono::nanoseconds now() override {
    return std::chrono::steady_clock::now().time_since_epoch();
  }
};

}  // namespace

Clock& steady_clock() {
  static SteadyClock clock;
  return clock;
}

}  // namespace vyre
