// suggest_ms, suggest_1000_ms: one suggestion of the default strategy, answer included, in a space
// of 18,000 configurations with 200 and with 1,000 evaluated.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench.h"
#include "vyre/search/strategy.h"

namespace vyre::bench {
namespace {

constexpr std::size_t window = 25;  // evaluations before and after the count that is named

// Ten parameters with the numbers of values of a real GEMM's space; of 147,456, every eighth.
Result<space::Space> gemm_like() {
  const std::vector<std::size_t> counts = {4, 4, 3, 3, 4, 4, 4, 4, 2, 2};
  std::vector<space::Parameter> parameters;
  std::size_t all = 1;
  for (const std::size_t count : counts) {
    space::Parameter parameter{fmt::format("p{}", parameters.size()), {}};
    for (std::size_t v = 0; v < count; ++v) {
      parameter.values.emplace_back(std::int64_t{8} << static_cast<int>(v));
    }
    parameters.push_back(parameter);
    all *= count;
  }
  std::vector<space::Digit> rows;
  for (std::size_t i = 0; i < 18'000; ++i) {
    std::size_t remainder = i * 8'191 % all;  // coprime to `all`: no repeats
    for (const std::size_t count : counts) {
      rows.push_back(static_cast<space::Digit>(remainder % count));
      remainder /= count;
    }
  }
  return space::Space::of(parameters, rows);
}

// Rugged, with couplings; one in eleven fails.
search::Observation answer(const space::Space& space, search::Index index) {
  if (index % 11 == 7) return {.verdict = Verdict::compile, .cost = 1};
  double sum = 0;
  const auto digits = space.digits(index);
  for (std::size_t p = 0; p + 1 < digits.size(); ++p) {
    sum += 0.3 * std::cos(1.3 * digits[p] + 0.7 * digits[p + 1] + static_cast<double>(p));
  }
  return {.time = std::exp(sum), .cost = 1 + 0.1 * digits[0]};
}

Result<std::vector<Row>> measure() {
  const auto space = gemm_like();
  if (!space) return Unexpected(space.error());
  auto strategy = search::make_strategy("natural", *space, 1);
  if (!strategy) return Unexpected(strategy.error());
  std::vector<double> times;
  for (std::size_t i = 0; i < 1'000 + window; ++i) {
    times.push_back(wall_ns([&] {
      for (const search::Index index : (*strategy)->ask(1)) {
        (*strategy)->tell(index, answer(*space, index));
      }
    }));
  }
  const auto around = [&](std::size_t count) {
    const auto at = times.begin() + static_cast<std::ptrdiff_t>(count);
    return median({at - window, at + window}) / 1e6;
  };
  const auto row = [&](const char* name, std::size_t count, double target) {
    return Row{
        .name = name,
        .value = around(count),
        .target = target,
        .better = Better::lower,
        .baseline = "fixed time",
        .note = fmt::format(
            "longest of all before {:.0f} ms",
            *std::max_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(count)) /
                1e6)};
  };
  return std::vector<Row>{row("suggest_ms", 200, 5), row("suggest_1000_ms", 1'000, 20)};
}

}  // namespace

Benchmark suggest_speed() { return {{"suggest_ms", "suggest_1000_ms"}, measure}; }

}  // namespace vyre::bench
