// Settings of live policies, and the choice of the best of each on some scenarios.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "replay.h"
#include "vyre/device/device.h"

namespace vyre::bench {

struct Rival {
  std::string policy;
  tune::LiveOptions options;
  double damping = 0.001;  // of the matrix; `natural` only
  bool alone = false;      // without the frame that policies share
};
[[nodiscard]] Rival alone(Rival rival);
[[nodiscard]] std::string to_string(const Rival& rival);

// Geometric means over scenarios, one for each number of dispatches, and of these.
struct Score {
  std::vector<double> each;
  double mean = 0;
};

class Arena {
 public:
  // `device` computes the matrix of `natural`.
  Arena(std::span<const std::size_t> dispatches, device::Device& device)
      : dispatches_(dispatches), device_(device) {}

  [[nodiscard]] Result<Score> score(const Rival& rival, std::span<const Scenario> scenarios) const;
  [[nodiscard]] Score score_oracle(std::span<const Scenario> scenarios) const;
  // One setting after the other, twice if they depend on each other.
  [[nodiscard]] Result<Rival> choose(Rival rival, std::span<const Scenario> scenarios) const;

 private:
  std::span<const std::size_t> dispatches_;
  device::Device& device_;
};

}  // namespace vyre::bench
