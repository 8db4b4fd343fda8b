#include "cli/simulate_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

namespace vyre::cli {
namespace {

constexpr std::size_t within_5 = 1;  // in search::score_targets

void perform(const Scene& scene, const Plan& plan, Run& run) {
  auto strategy = search::make_strategy(run.strategy, scene.recorded.space, run.seed);
  const auto start = std::chrono::steady_clock::now();
  run.trace = search::replay(**strategy, scene.recorded, scene.scorer, plan.evaluations);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  run.ms_per_suggestion =
      took.count() / static_cast<double>(std::max<std::size_t>(run.trace.size(), 1));
  run.score = scene.scorer.score(run.trace);
}

struct Mean {
  double value = 0;
  double error = 0;  // standard error; 0 with one run
};

Mean mean_of(std::span<const Run> runs, const std::function<double(const Run&)>& figure) {
  const auto count = static_cast<double>(runs.size());
  Mean mean;
  for (const Run& run : runs) mean.value += figure(run) / count;
  double squares = 0;
  for (const Run& run : runs) squares += std::pow(figure(run) - mean.value, 2);
  if (runs.size() > 1) mean.error = std::sqrt(squares / (count - 1) / count);
  return mean;
}

// The median of evaluations until a target; "-" if half of the runs do not get there.
std::string median_until(std::span<const Run> runs, std::size_t target) {
  std::vector<std::size_t> all;
  for (const Run& run : runs) {
    all.push_back(run.score.until[target] == 0 ? ~std::size_t{0} : run.score.until[target]);
  }
  std::ranges::sort(all);
  const std::size_t middle = all[(all.size() - 1) / 2];
  return middle == ~std::size_t{0} ? "-" : fmt::format("{}", middle);
}

struct Figures {
  Mean time, evaluations;
  double in_budget = 0;  // share of runs within 5 % of the optimum in the budget of evaluations
  double ms = 0;
};

Figures figures_of(const Scene& scene, std::span<const Run> runs) {
  const auto near = [&](const Run& run) {
    const std::size_t until = run.score.until[within_5];
    return until > 0 && until <= scene.scorer.budget_evaluations() ? 1.0 : 0.0;
  };
  return {mean_of(runs, [](const Run& run) { return run.score.time; }),
          mean_of(runs, [](const Run& run) { return run.score.evaluations; }),
          mean_of(runs, near).value,
          mean_of(runs, [](const Run& run) { return run.ms_per_suggestion; }).value};
}

std::vector<std::string> row(std::string name, const std::string& strategy, const Figures& f) {
  return {std::move(name), strategy, fmt::format("{:.3f} +- {:.3f}", f.time.value, f.time.error),
          fmt::format("{:.3f} +- {:.3f}", f.evaluations.value, f.evaluations.error),
          fmt::format("{:.0f}", 100 * f.in_budget)};
}

Figures average(std::span<const Figures> all) {
  const auto count = static_cast<double>(all.size());
  Figures mean;
  for (const Figures& f : all) {
    mean.time.value += f.time.value / count;
    mean.evaluations.value += f.evaluations.value / count;
    mean.time.error += f.time.error * f.time.error;
    mean.evaluations.error += f.evaluations.error * f.evaluations.error;
    mean.in_budget += f.in_budget / count;
    mean.ms += f.ms / count;
  }
  mean.time.error = std::sqrt(mean.time.error) / count;
  mean.evaluations.error = std::sqrt(mean.evaluations.error) / count;
  return mean;
}

}  // namespace

std::vector<Run> run_all(const std::vector<Scene>& scenes, const Plan& plan,
                         const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<Run> runs;
  for (std::size_t scene = 0; scene < scenes.size(); ++scene) {
    for (const std::string& strategy : plan.strategies) {
      for (std::size_t seed = 0; seed < plan.seeds; ++seed) {
        runs.push_back({.scene = scene, .strategy = strategy, .seed = seed});
      }
    }
  }
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::size_t finished = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < runs.size(); i = next++) {
      perform(scenes[runs[i].scene], plan, runs[i]);
      const std::scoped_lock lock(mutex);
      progress(++finished, runs.size());
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t job = 0; job < std::min(plan.jobs, runs.size()); ++job) {
    threads.emplace_back(work);
  }
  threads.clear();
  return runs;
}

std::vector<std::vector<std::string>> summary(const std::vector<Scene>& scenes, const Plan& plan,
                                              const std::vector<Run>& runs) {
  std::vector<std::vector<std::string>> rows = {{"space", "strategy", "time score", "eval score",
                                                 "within 5 %", "to 10 %", "to 5 %", "to 1 %",
                                                 "ms each"}};
  std::vector<std::vector<Figures>> figures(plan.strategies.size());
  for (std::size_t at = 0; at < runs.size(); at += plan.seeds) {
    const std::span<const Run> of = std::span(runs).subspan(at, plan.seeds);
    const Scene& scene = scenes[of[0].scene];
    const std::size_t strategy = at / plan.seeds % plan.strategies.size();
    figures[strategy].push_back(figures_of(scene, of));
    rows.push_back(row(scene.recorded.name, of[0].strategy, figures[strategy].back()));
    for (std::size_t t = 0; t < search::score_targets.size(); ++t) {
      rows.back().push_back(median_until(of, t));
    }
    rows.back().push_back(fmt::format("{:.2f}", figures[strategy].back().ms));
  }
  for (std::size_t s = 0; scenes.size() > 1 && s < figures.size(); ++s) {
    const Figures mean = average(figures[s]);
    rows.push_back(row("mean", plan.strategies[s], mean));
    rows.back().insert(rows.back().end(), {"", "", "", fmt::format("{:.2f}", mean.ms)});
  }
  return rows;
}

std::string trace_line(const Scene& scene, const Run& run) {
  nlohmann::ordered_json line;
  line["space"] = scene.recorded.name;
  line["strategy"] = run.strategy;
  line["seed"] = run.seed;
  line["evaluations"] = nlohmann::json::array();
  for (const search::Index index : run.trace) {
    line["evaluations"].push_back(scene.recorded.space.key(index));
  }
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace vyre::cli
