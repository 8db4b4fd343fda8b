// A machine without hardware: candidates of known speed, the recorded noise, and time that passes
// only when something is sampled.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <span>

#include "base/clock.h"
#include "measure/recorded_noise.h"
#include "measure/sample.h"

namespace vyre::testing {

class FakeClock final : public Clock {
 public:
  [[nodiscard]] std::chrono::nanoseconds now() override { return now_; }
  void pass(double ns) { now_ += std::chrono::nanoseconds(static_cast<std::int64_t>(ns)); }

 private:
  std::chrono::nanoseconds now_{0};
};

struct Disturbance {
  bool bursts = true;       // two to four times, for one to four samples
  bool slow_phases = true;  // 15 % for 20 to 60 samples
  double drift = 0.1;       // over 100 samples
};

// The recorded noise from a place chosen by the seed, with more of what it has in it.
class SimulatedMachine {
 public:
  SimulatedMachine(std::uint64_t seed, Disturbance disturbance = {})
      : random_(seed), disturbance_(disturbance), place_(random_() % recorded_wall.size()) {}

  [[nodiscard]] FakeClock& clock() { return clock_; }

  // A kernel that takes this long on a quiet machine.
  [[nodiscard]] measure::Sampler kernel(double ns) {
    return [this, ns](std::uint32_t launches) -> Result<measure::Sample> {
      const std::size_t at = place_++ % recorded_wall.size();
      const double slow = slowness();
      const double wall = ns * slow * burst() * recorded_wall[at] / 1000.0;
      const measure::Sample sample{.wall_ns = wall,
                                   .device_ns = wall,
                                   .cpu_ns = ns * slow * recorded_cpu[at] / 1000.0,
                                   .launches = launches};
      clock_.pass(sample.wall_ns * launches);
      return sample;
    };
  }

 private:
  // The clock rate and the caches: CPU time sees them too.
  double slowness() {
    ++samples_;
    if (phase_left_ == 0 && disturbance_.slow_phases && random_() % 60 == 0) {
      phase_left_ = 20 + random_() % 40;
    }
    const double factor = phase_left_ > 0 ? 1.15 : 1.0;
    phase_left_ -= phase_left_ > 0;
    return factor * (1 + disturbance_.drift * static_cast<double>(samples_) / 100);
  }

  // Others that take the processor away.
  double burst() {
    if (burst_left_ == 0 && disturbance_.bursts && random_() % 25 == 0) {
      burst_left_ = 1 + random_() % 4;
    }
    const double factor = burst_left_ > 0 ? 2 + static_cast<double>(random_() % 200) / 100 : 1;
    burst_left_ -= burst_left_ > 0;
    return factor;
  }

  FakeClock clock_;
  std::mt19937_64 random_;
  Disturbance disturbance_;
  std::size_t place_;
  std::uint64_t samples_ = 0;
  std::uint64_t burst_left_ = 0;
  std::uint64_t phase_left_ = 0;
};

}  // namespace vyre::testing
