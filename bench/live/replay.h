// Dispatches of a program that is tuned live, replayed on what others measured of a space.
//
// Arm 0 is a configuration that is slower than most, as a program without a schedule is. The others
// come one by one, as a search in the background would bring them: first some that were good
// elsewhere, then what the default strategy asks for. Each dispatch takes the recorded time with
// noise: log-normal, a slow drift that hits all arms alike, and launches that the system held up.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tune/live_policy.h"
#include "vyre/base/error.h"
#include "vyre/formats/recorded.h"

namespace vyre::bench {

struct Scenario {
  std::vector<double> times;  // of each arm, in the order of arrival
  double noise = 0.03;        // standard deviation of log time
  std::uint64_t seed = 0;
};

constexpr std::size_t arms_of_scenario = 25;
constexpr std::size_t arrival_gap = 40;  // dispatches

[[nodiscard]] Result<Scenario> make_scenario(const formats::Recorded& recorded, std::uint64_t seed);

// The best arm's total / the total, for each of these numbers of dispatches, ascending.
[[nodiscard]] std::vector<double> replay(const Scenario& scenario, tune::LivePolicy& policy,
                                         std::span<const std::size_t> dispatches);
// The same for somebody who knows every arm that is there.
[[nodiscard]] std::vector<double> replay_oracle(const Scenario& scenario,
                                                std::span<const std::size_t> dispatches);

}  // namespace vyre::bench
