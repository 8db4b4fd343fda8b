#include "vyre/trial/time.h"

#include <algorithm>

namespace vyre::trial {
namespace {

using measure::Basis;

std::vector<double> all_times(const Row& row, Basis basis) {
  std::vector<double> times;
  for (const auto& s : row.outcome.measured->samples) times.push_back(value(s, basis));
  if (row.standing) {
    for (const auto& s : row.standing->samples) times.push_back(value(s, basis));
  }
  return times;
}

void summarise(Row& row, bool has_cpu_time) {
  if (!row.outcome.measured) return;
  const auto wall = all_times(row, Basis::wall);
  row.time_ns = measure::median(wall);
  row.time_interval = measure::bootstrap(wall, 0.5);
  if (!has_cpu_time) return;
  const auto cpu = all_times(row, Basis::cpu);
  row.cpu_ns = measure::median(cpu);
  row.cpu_interval = measure::bootstrap(cpu, 0.5);
}

// The candidates that may be the fastest, by their first measurements.
std::vector<std::size_t> finalists(const std::vector<Evaluated>& evaluated) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < evaluated.size(); ++i) {
    const auto& measured = evaluated[i].outcome().measured;
    if (measured && measured->stop != measure::Stop::abandoned) chosen.push_back(i);
  }
  return chosen;
}

Result<void> run_race(std::vector<Evaluated>& evaluated, const TimeOptions& options, Clock& clock,
                      Report& report) {
  const auto chosen = finalists(evaluated);
  if (chosen.empty()) return {};
  std::vector<measure::Entrant> entrants;
  for (const std::size_t i : chosen) {
    Evaluated& one = evaluated[i];
    entrants.push_back({[&one](std::uint32_t launches) { return one.sample(launches); },
                        one.outcome().measured->samples.back().launches});
  }
  measure::RaceOptions race = options.race;
  race.basis = report.basis;
  race.confirm_by_wall = report.confirmed_by_wall;
  auto result = measure::race(entrants, clock, race);
  if (!result) return std::unexpected(result.error());
  report.rounds = result->rounds;
  report.winner = chosen[result->winner];
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    report.rows[chosen[k]].standing = std::move(result->standings[k]);
  }
  return {};
}

}  // namespace

Result<Report> time(worker::Session& session, std::span<const Candidate> candidates,
                    const TimeOptions& options, Clock& clock) {
  Report report{.adapter = session.adapter(), .basis = basis_for(session.adapter())};
  report.confirmed_by_wall = report.basis == Basis::cpu;
  EvaluateOptions each = options.evaluate;
  std::vector<Evaluated> evaluated;
  for (const Candidate& candidate : candidates) {
    auto one = evaluate(session, candidate, each, clock);
    if (!one) return std::unexpected(one.error());
    if (const auto& measured = one->outcome().measured) {
      auto& best = each.repeat.best_ns;
      best = std::min(best.value_or(measured->estimate_ns), measured->estimate_ns);
    }
    evaluated.push_back(*std::move(one));
    report.rows.push_back({.name = candidate.name, .outcome = evaluated.back().outcome()});
  }
  if (auto raced = run_race(evaluated, options, clock, report); !raced) {
    return std::unexpected(raced.error());
  }
  for (Row& row : report.rows) summarise(row, report.adapter.is_cpu);
  return report;
}

}  // namespace vyre::trial
