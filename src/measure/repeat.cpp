#include "measure/repeat.h"

#include <algorithm>
#include <cmath>

namespace vyre::measure {
namespace {

// Of the budget, beyond which there is no more warm-up: what runs so long is warm.
constexpr int warm_up_share = 8;

std::vector<double> values(const std::vector<Sample>& samples, Basis basis) {
  std::vector<double> out;
  for (const Sample& sample : samples) out.push_back(value(sample, basis));
  return out;
}

bool is_narrow(const Measurement& m, const RepeatOptions& options) {
  return m.samples.size() >= options.min_samples &&
         m.interval.high - m.interval.low <= 2 * options.target * m.estimate_ns;
}

void estimate(Measurement& m, const RepeatOptions& options) {
  const auto times = values(m.samples, m.basis);
  m.estimate_ns = median(times);
  m.interval = bootstrap(times, 0.5, {.seed = options.seed});
}

}  // namespace

std::string_view name_of(Stop stop) {
  switch (stop) {
    case Stop::narrow:
      return "narrow";
    case Stop::budget:
      return "budget";
    case Stop::abandoned:
      return "abandoned";
  }
  return "budget";
}

std::uint32_t launches_for(double one_ns, std::chrono::nanoseconds least, std::uint32_t most) {
  const double fit = std::ceil(static_cast<double>(least.count()) / std::max(one_ns, 1.0));
  return static_cast<std::uint32_t>(std::clamp(fit, 1.0, static_cast<double>(most)));
}

bool surely_slower(std::span<const double> times, double best_ns) {
  if (times.empty()) return false;
  const double fastest = *std::ranges::min_element(times);
  const double margin = times.size() >= 5   ? 1.25
                        : times.size() >= 3 ? 1.5
                        : times.size() == 2 ? 2.0
                                            : 3.0;
  return fastest > margin * best_ns;
}

Result<Measurement> repeat(const Sampler& sampler, Clock& clock, const RepeatOptions& options) {
  Measurement m{.basis = options.basis};
  const auto began = clock.now();
  const auto end = began + options.budget;
  for (std::uint32_t i = 0; i < options.warm_up; ++i) {
    const auto sample = sampler(1);
    if (!sample) return Unexpected(sample.error());
    m.warm_up.push_back(*sample);
    if (clock.now() - began > options.budget / warm_up_share) break;
  }
  // The last one is free of what only a first launch costs.
  const std::uint32_t launches =
      m.warm_up.empty()
          ? 1
          : launches_for(m.warm_up.back().wall_ns, options.min_sample, options.max_launches);
  do {
    const auto sample = sampler(launches);
    if (!sample) return Unexpected(sample.error());
    m.samples.push_back(*sample);
    estimate(m, options);
    if (options.best_ns && surely_slower(values(m.samples, m.basis), *options.best_ns)) {
      m.stop = Stop::abandoned;
      break;
    }
    if (is_narrow(m, options)) {
      m.stop = Stop::narrow;
      break;
    }
  } while (m.samples.size() < options.max_samples && clock.now() < end);
  m.drift = drift(values(m.samples, m.basis));
  return m;
}

}  // namespace vyre::measure
