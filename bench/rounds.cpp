#include "rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "bench.h"

namespace vyre::bench {

namespace {

// Nanoseconds per run of the work, repeated until this long has passed: work of a fraction of a
// millisecond is otherwise a measurement of how fast sleeping threads wake.
double repeated_ns(const std::function<void()>& work, double long_enough) {
  double total = 0;
  int runs = 0;
  for (; total < long_enough; ++runs) total += wall_ns(work);
  return total / runs;
}

}  // namespace

std::vector<std::vector<double>> take_turns(const std::vector<Side>& sides, int rounds) {
  constexpr int warm_up = 2;
  // OpenBLAS keeps its threads spinning after they are done, for up to 120 ms, on other sides'
  // cores.
  constexpr std::chrono::milliseconds until_idle(150);
  // Threads that wake on one core stay there until the scheduler looks again, some ticks later; two
  // of OpenMP then wait for each other, each for its slice of time.
  constexpr double awake = 25e6;
  constexpr double timed = 6e6;
  std::vector<std::vector<double>> times(sides.size());
  for (int round = 0; round < warm_up + rounds; ++round) {
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::size_t side = (i + static_cast<std::size_t>(round)) % sides.size();
      std::this_thread::sleep_for(until_idle);
      static_cast<void>(repeated_ns(sides[side].work, awake));
      const double took = repeated_ns(sides[side].work, timed);
      if (round >= warm_up) times[side].push_back(took);
    }
  }
  return times;
}

double best_other_to_first(const std::vector<std::vector<double>>& times) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < times[0].size(); ++round) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t side = 1; side < times.size(); ++side)
      best = std::min(best, times[side][round]);
    ratios.push_back(best / times[0][round]);
  }
  return median(ratios);
}

std::string medians(const std::vector<Side>& sides, const std::vector<std::vector<double>>& times) {
  std::string text;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    text += fmt::format("{}{} {:.0f} us", text.empty() ? "" : ", ", sides[side].name,
                        median(times[side]) / 1e3);
  }
  return text;
}

}  // namespace vyre::bench
