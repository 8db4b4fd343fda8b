// A page of runs that look like real ones: times that depend on the parameters, failures where a
// device would refuse, a search that gets better. The same on every machine.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "report/page.h"

namespace vyre::testing {

class SampleRun {
 public:
  SampleRun(std::string kernel, double default_ms, std::uint64_t seed)
      : default_ms_(default_ms), state_(seed) {
    results_.kernel = std::move(kernel);
    results_.strategy = "natural";
    results_.parameters = {"block_size_x", "block_size_y", "tile",
                           "unroll",       "use_shared",   "layout"};
  }

  // The default first, then configurations that are more and more like the best so far, then the
  // race: by how much the winner is faster is what it says, less a little.
  formats::Results make(std::size_t attempts) {
    attempt(default_values());
    results_.original = 0;
    while (results_.tried.size() < attempts) {
      const Values values = next();
      const auto has_them = [&](const formats::Tried& tried) { return tried.values == values; };
      if (std::ranges::none_of(results_.tried, has_them)) attempt(values);
    }
    results_.winner = best_;
    results_.raced = raced(time_of(0), time_of(*results_.winner));
    return results_;
  }

  static formats::Raced raced(double original_ms, double winner_ms) {
    const auto about = [](double value) {
      return measure::Estimate{value, {value * 0.98, value * 1.02}};
    };
    return {about(original_ms), about(winner_ms), about(original_ms / winner_ms)};
  }

 private:
  using Values = std::vector<space::Value>;

  static Values default_values() { return {64, 1, 1, 1, false, "rows"}; }
  static const std::vector<Values>& choices() {
    static const std::vector<Values> all = {
        {16, 32, 64, 128, 256, 512},   {1, 2, 4, 8}, {1, 2, 4, 8}, {1, 2, 4}, {false, true},
        {"rows", "columns", "blocked"}};
    return all;
  }

  double random() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state_ >> 11U) / 9007199254740992.0;
  }
  double time_of(std::size_t i) const { return results_.tried[i].time_ms; }

  // From the best a few values are changed, at first nearly all.
  Values next() {
    const double progress = static_cast<double>(results_.tried.size()) / 120;
    Values values = best_ ? results_.tried[*best_].values : default_values();
    for (std::size_t p = 0; p < values.size(); ++p) {
      if (random() > std::max(0.25, 0.9 - progress)) continue;
      const auto& of_p = choices()[p];
      values[p] = of_p[static_cast<std::size_t>(random() * static_cast<double>(of_p.size()))];
    }
    return values;
  }

  static double number(const space::Value& value) {
    return static_cast<double>(std::get<std::int64_t>(value));
  }

  double modelled(const Values& v) {
    const double items = number(v[0]) * number(v[1]);
    double factor = 1 + 0.35 * std::pow(std::log2(items / 128), 2);
    factor *= 1 + 0.5 / number(v[2]) + 0.03 * number(v[2]) * number(v[2]);
    factor *= 1 + 0.08 / number(v[3]);
    if (std::get<bool>(v[4])) factor *= 0.62;
    if (std::get<std::string>(v[5]) == "columns") factor *= 1.9;
    return factor;
  }

  static void judge(const Values& v, formats::Tried& tried) {
    const double items = number(v[0]) * number(v[1]);
    if (items > 512) {
      tried.verdict = Verdict::compile;
      tried.reason = fmt::format("a workgroup of {}x{} is over the device's limit of 512",
                                 number(v[0]), number(v[1]));
    } else if (std::get<bool>(v[4]) && items * number(v[2]) > 512) {
      tried.verdict = Verdict::runtime;
      tried.reason = "CL_OUT_OF_RESOURCES: the kernel needs more than 48 KiB of local memory";
    } else if (std::get<std::string>(v[5]) == "blocked" && number(v[2]) == 1 && number(v[3]) == 4) {
      tried.verdict = Verdict::correctness;
      tried.reason = "y[1024] is 0.5, expected 0.75 (and 3071 more)";
    } else if (items == 16 && number(v[2]) == 8) {
      tried.verdict = Verdict::timeout;
      tried.reason = "no result after 2 s";
    }
  }

  void attempt(const Values& values) {
    formats::Tried tried;
    tried.values = values;
    judge(values, tried);
    clock_s_ += 0.1 + 0.3 * random();
    tried.at_s = clock_s_;
    tried.cost = {120 + 60 * random(), 8, 40 + 40 * random(), 1};
    if (tried.verdict == Verdict::correct) measure(tried);
    results_.tried.push_back(tried);
    if (tried.verdict != Verdict::correct) return;
    if (!best_ || tried.time_ms < time_of(*best_)) best_ = results_.tried.size() - 1;
  }

  void measure(formats::Tried& tried) {
    const double scale = default_ms_ / modelled(default_values());
    tried.time_ms = scale * modelled(tried.values) * (1 + 0.03 * random());
    const double half = tried.time_ms * (0.004 + 0.012 * random());
    tried.interval_ms = {tried.time_ms - half, tried.time_ms + half};
    tried.runs_ms.assign(10, tried.time_ms);
  }

  double default_ms_;
  std::uint64_t state_;
  double clock_s_ = 0;
  std::optional<std::size_t> best_;
  formats::Results results_;
};

// Three kernels, the last of which ties with its default, and one that was remembered.
inline report::Page sample_page() {
  using namespace std::chrono_literals;
  const std::chrono::sys_days day = 2026y / 11 / 16;
  report::Page page;
  page.device = "Example GPU 4000, 32 compute units";
  page.driver = "OpenCL 3.0, driver 1.2.3";
  page.version = "0.1.0";
  page.date = day + 14h + 3min;
  page.kernels = {SampleRun("matmul", 1.93, 3).make(120),
                  SampleRun("transpose", 0.0874, 17).make(140),
                  SampleRun("stencil3d", 12.6, 5).make(110)};
  auto& last = page.kernels.back();
  last.winner = 0;
  for (std::size_t i = 1; i < last.tried.size(); ++i) {
    auto& tried = last.tried[i];
    tried.time_ms = std::max(tried.time_ms * 1.6, last.tried[0].time_ms * 0.995);
    tried.interval_ms = {tried.time_ms * 0.99, tried.time_ms * 1.01};
    if (tried.verdict == Verdict::correct && tried.time_ms < last.tried[0].time_ms) {
      last.winner = i;
    }
  }
  last.tied = true;
  last.winner = 0;
  last.raced = SampleRun::raced(last.tried[0].time_ms, last.tried[0].time_ms);
  page.remembered = {{"saxpy", "workgroup = 256, unroll = 4",
                      measure::Estimate{0.412, {0.41, 0.42}},
                      measure::Estimate{0.305, {0.303, 0.308}},
                      measure::Estimate{1.35, {1.32, 1.39}}, day - std::chrono::days(9)}};
  return page;
}

}  // namespace vyre::testing
