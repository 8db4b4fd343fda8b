// heat_2048_vs_openmp, heat_512_vs_openmp: steps of the heat equation, tuned, on the front door,
// against the same loop in C++ with OpenMP.
#include <fmt/format.h>

#include <vector>

#include "bench.h"
#include "heat_kernel.h"
#include "heat_openmp.h"
#include "rounds.h"

namespace vyre::bench {
namespace {

Result<Row> against_openmp(std::size_t n, int steps, double target) {
  VYRE_TRY(auto heat, Heat::make(n, std::chrono::seconds(15)));
  std::vector<float> u = heat_start(n);
  std::vector<float> v = u;
  Result<void> good;
  const std::vector<Side> sides = {
      {"vyre",
       [&] {
         if (good) good = heat.run(steps);
       }},
      {"OpenMP", [&] { heat_openmp(u.data(), v.data(), n, steps); }},
  };
  const auto times = take_turns(sides, 15);
  if (!good) return Failure(good.error());
  return Row{
      .name = fmt::format("heat_{}_vs_openmp", n),
      .value = best_other_to_first(times),
      .target = target,
      .better = Better::higher,
      .baseline = "g++ -O3 -march=native -fopenmp, 2 threads",
      .note = fmt::format("{} steps: {}; {}", steps, medians(sides, times), heat.configuration())};
}

Result<std::vector<Row>> measure() {
  VYRE_TRY(auto large, against_openmp(2048, 1000, 1.0));
  VYRE_TRY(auto small, against_openmp(512, 1000, 0.8));
  return std::vector<Row>{std::move(large), std::move(small)};
}

}  // namespace

Benchmark heat_speed() { return {{"heat_2048_vs_openmp", "heat_512_vs_openmp"}, measure}; }

}  // namespace vyre::bench
