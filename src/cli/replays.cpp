#include "cli/replays.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <mutex>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

namespace vyre::cli {
namespace {

constexpr std::size_t within_5 = 1;  // in search::score_targets

void perform(const Dataset& dataset, const Plan& plan, Replay& replay) {
  auto strategy = search::make_strategy(replay.strategy, dataset.recorded.space, replay.seed);
  const auto start = std::chrono::steady_clock::now();
  replay.trace = search::replay(**strategy, dataset.recorded, dataset.scorer, plan.evaluations);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  replay.ms_per_suggestion =
      took.count() / static_cast<double>(std::max<std::size_t>(replay.trace.size(), 1));
  replay.score = dataset.scorer.score(replay.trace);
}

// Whether there is room for another thread.
template <class Work>
bool started(std::vector<std::jthread>& threads, const Work& work) {
  try {
    threads.emplace_back(work);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

struct Mean {
  double value = 0;
  double error = 0;  // standard error; 0 with one run
};

Mean mean_of(std::span<const Replay> replays, const std::function<double(const Replay&)>& figure) {
  const auto count = static_cast<double>(replays.size());
  Mean mean;
  for (const Replay& replay : replays) mean.value += figure(replay) / count;
  double squares = 0;
  for (const Replay& replay : replays) squares += std::pow(figure(replay) - mean.value, 2);
  if (replays.size() > 1) mean.error = std::sqrt(squares / (count - 1) / count);
  return mean;
}

// The median of evaluations until a target; "-" if half of the runs do not get there.
std::string median_until(std::span<const Replay> replays, std::size_t target) {
  std::vector<std::size_t> all;
  for (const Replay& replay : replays) {
    all.push_back(replay.score.until[target] == 0 ? ~std::size_t{0} : replay.score.until[target]);
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

Figures figures_of(const Dataset& dataset, std::span<const Replay> replays) {
  const auto near = [&](const Replay& replay) {
    const std::size_t until = replay.score.until[within_5];
    return until > 0 && until <= dataset.scorer.budget_evaluations() ? 1.0 : 0.0;
  };
  return {mean_of(replays, [](const Replay& replay) { return replay.score.time; }),
          mean_of(replays, [](const Replay& replay) { return replay.score.evaluations; }),
          mean_of(replays, near).value,
          mean_of(replays, [](const Replay& replay) { return replay.ms_per_suggestion; }).value};
}

std::vector<std::string> row(std::string name, const std::string& strategy, const Figures& f) {
  return {std::move(name), strategy, fmt::format("{:.3f} +- {:.3f}", f.time.value, f.time.error),
          fmt::format("{:.3f} +- {:.3f}", f.evaluations.value, f.evaluations.error),
          fmt::format("{:.0f}", 100 * f.in_budget)};
}

// Spaces count alike, whatever their size; the errors of independent means add in squares.
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

std::vector<Replay> replay_all(const std::vector<Dataset>& datasets, const Plan& plan,
                               const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<Replay> replays;
  for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
    for (const std::string& strategy : plan.strategies) {
      for (std::size_t seed = 0; seed < plan.seeds; ++seed) {
        replays.push_back({.dataset = dataset, .strategy = strategy, .seed = seed});
      }
    }
  }
  // Each thread writes only the replay that it took; the lock is for the rest.
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::size_t finished = 0;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < replays.size(); i = next++) {
        perform(datasets[replays[i].dataset], plan, replays[i]);
        const std::scoped_lock lock(mutex);
        progress(++finished, replays.size());
      }
    } catch (const std::bad_alloc&) {
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
      next = replays.size();
    }
  };
  std::vector<std::jthread> threads;
  const std::size_t others = std::min(plan.jobs, replays.size()) - 1;  // this thread works too
  threads.reserve(others);
  while (threads.size() < others && started(threads, work)) {
  }
  work();
  threads.clear();  // joins them
  if (failure) std::rethrow_exception(failure);
  return replays;
}

std::vector<std::vector<std::string>> summary(const std::vector<Dataset>& datasets,
                                              const Plan& plan,
                                              const std::vector<Replay>& replays) {
  std::vector<std::vector<std::string>> rows = {{"space", "strategy", "time score", "eval score",
                                                 "within 5 %", "to 10 %", "to 5 %", "to 1 %",
                                                 "ms each"}};
  std::vector<std::vector<Figures>> figures(plan.strategies.size());
  for (std::size_t at = 0; at < replays.size(); at += plan.seeds) {
    const std::span<const Replay> of = std::span(replays).subspan(at, plan.seeds);
    const Dataset& dataset = datasets[of[0].dataset];
    const std::size_t strategy = at / plan.seeds % plan.strategies.size();
    figures[strategy].push_back(figures_of(dataset, of));
    rows.push_back(row(dataset.recorded.name, of[0].strategy, figures[strategy].back()));
    for (std::size_t t = 0; t < search::score_targets.size(); ++t) {
      rows.back().push_back(median_until(of, t));
    }
    rows.back().push_back(fmt::format("{:.2f}", figures[strategy].back().ms));
  }
  for (std::size_t s = 0; datasets.size() > 1 && s < figures.size(); ++s) {
    const Figures mean = average(figures[s]);
    rows.push_back(row("mean", plan.strategies[s], mean));
    rows.back().insert(rows.back().end(), {"", "", "", fmt::format("{:.2f}", mean.ms)});
  }
  return rows;
}

std::string trace_line(const Dataset& dataset, const Replay& replay) {
  nlohmann::ordered_json line;
  line["space"] = dataset.recorded.name;
  line["strategy"] = replay.strategy;
  line["seed"] = replay.seed;
  line["evaluations"] = nlohmann::json::array();
  for (const search::Index index : replay.trace) {
    line["evaluations"].push_back(dataset.recorded.space.key(index));
  }
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace vyre::cli
