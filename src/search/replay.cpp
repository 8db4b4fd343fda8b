#include "vyre/search/replay.h"

#include <cmath>

namespace vyre::search {

Result<Scorer> scorer_of(const formats::Recorded& recorded, std::size_t budget) {
  std::vector<double> times;
  std::vector<double> costs;
  for (const formats::Measurement& m : recorded.measurements) {
    times.push_back(m.verdict == Verdict::correct ? m.time_ms : std::nan(""));
    costs.push_back(m.cost.total_ms());
  }
  return Scorer::make(std::move(times), std::move(costs), budget);
}

std::vector<Index> replay(Strategy& strategy, const formats::Recorded& recorded,
                          const Scorer& scorer, std::size_t evaluations) {
  std::vector<Index> trace;
  double clock = 0;
  const auto ended = [&] {
    if (strategy.done()) return true;
    if (evaluations > 0) return trace.size() >= evaluations;
    if (!trace.empty() && scorer.time(trace.back()) <= scorer.optimum()) return true;
    return trace.size() >= scorer.budget_evaluations() && clock >= scorer.budget_cost();
  };
  while (!ended()) {
    for (const Index index : strategy.ask(1)) {
      const formats::Measurement& m = recorded.measurements[index];
      trace.push_back(index);
      clock += m.cost.total_ms();
      strategy.tell(
          index, {.verdict = m.verdict, .time = m.time_ms, .noise = 0, .cost = m.cost.total_ms()});
    }
  }
  return trace;
}

}  // namespace vyre::search
