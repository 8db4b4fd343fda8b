#include "replay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "search/random.h"
#include "vyre/search/strategy.h"

namespace vyre::bench {
namespace {

constexpr std::size_t good_at_first = 3;
constexpr std::array noises = {0.02, 0.04, 0.08};
constexpr std::size_t plan_size = 16;

double normal(search::Random& random) {
  return std::sqrt(-2 * std::log(random.unit())) * std::cos(6.283185307179586 * random.unit());
}

// Those that ran, the fastest first.
std::vector<space::Index> in_order(const formats::Recorded& recorded) {
  std::vector<space::Index> order;
  for (space::Index i = 0; i < recorded.measurements.size(); ++i) {
    if (recorded.measurements[i].verdict == Verdict::correct) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](space::Index i) { return recorded.measurements[i].time_ms; });
  return order;
}

// What a dispatch takes; the same sequence of disturbances for every policy.
class Noise {
 public:
  explicit Noise(const Scenario& scenario)
      : random_(scenario.seed * 2 + 1), deviation_(scenario.noise) {}

  double next() {
    drift_ = 0.95 * drift_ + 0.01 * normal(random_);
    const double held_up = random_.below(100) == 0 ? std::log(2 + 8 * random_.unit()) : 0;
    return std::exp(deviation_ * normal(random_) + drift_ + held_up);
  }

 private:
  search::Random random_;
  double deviation_;
  double drift_ = 0;
};

// `arrive` is told of each arm that comes, `choose` says who runs and `tell` what it took.
struct Player {
  std::function<void()> arrive;
  std::function<std::size_t()> choose;
  std::function<void(std::size_t arm, double ns)> tell;
};

std::vector<double> play(const Scenario& scenario, std::span<const std::size_t> dispatches,
                         const Player& player) {
  Noise noise(scenario);
  const double best = std::ranges::min(scenario.times);
  std::vector<double> ratios;
  std::size_t arrived = 0;
  double total = 0;
  double best_total = 0;
  for (std::size_t i = 0; i < dispatches.back(); ++i) {
    for (; arrived < scenario.times.size() && i >= arrived * arrival_gap; ++arrived) {
      player.arrive();
    }
    const std::size_t arm = player.choose();
    const double factor = noise.next();
    total += scenario.times[arm] * factor;
    best_total += best * factor;
    player.tell(arm, scenario.times[arm] * factor);
    if (std::ranges::find(dispatches, i + 1) != dispatches.end()) {
      ratios.push_back(best_total / total);
    }
  }
  return ratios;
}

}  // namespace

Result<Scenario> make_scenario(const formats::Recorded& recorded, std::uint64_t seed) {
  search::Random random(seed);
  const std::vector<space::Index> order = in_order(recorded);
  const auto at = [&](double quantile) {
    return order[static_cast<std::size_t>(quantile * static_cast<double>(order.size() - 1))];
  };
  Scenario scenario{.times = {}, .noise = noises[seed % noises.size()], .seed = seed};
  VYRE_TRY(auto strategy, search::make_strategy("natural", recorded.space, seed));
  const auto arrive = [&](space::Index index) {
    const formats::Measurement& measured = recorded.measurements[index];
    strategy->tell(index, {.verdict = measured.verdict, .time = measured.time_ms});
    if (measured.verdict == Verdict::correct) scenario.times.push_back(measured.time_ms * 1e6);
  };
  arrive(at(0.5 + 0.4 * random.unit()));
  for (std::size_t i = 0; i < good_at_first; ++i) arrive(at(0.3 * random.unit()));
  while (scenario.times.size() < arms_of_scenario && !strategy->done()) {
    arrive(strategy->ask(1).front());
  }
  return scenario;
}

std::vector<double> replay(const Scenario& scenario, tune::LivePolicy& policy,
                           std::span<const std::size_t> dispatches) {
  std::array<std::size_t, plan_size> plan{};
  std::size_t next = plan_size;
  std::size_t arrived = 0;
  return play(scenario, dispatches,
              {.arrive =
                   [&] {
                     policy.add();
                     policy.complete(++arrived == scenario.times.size());
                   },
               .choose =
                   [&] {
                     if (next == plan_size) {
                       policy.plan(plan);
                       next = 0;
                     }
                     return plan[next++];
                   },
               .tell = [&](std::size_t arm, double ns) { policy.tell(arm, ns); }});
}

std::vector<double> replay_oracle(const Scenario& scenario,
                                  std::span<const std::size_t> dispatches) {
  std::size_t arrived = 0;
  return play(scenario, dispatches,
              {.arrive = [&] { ++arrived; },
               .choose =
                   [&] {
                     const auto end = scenario.times.begin() + static_cast<std::ptrdiff_t>(arrived);
                     const auto best = std::min_element(scenario.times.begin(), end);
                     return static_cast<std::size_t>(best - scenario.times.begin());
                   },
               .tell = [](std::size_t, double) {}});
}

}  // namespace vyre::bench
