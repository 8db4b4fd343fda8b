#include "trial/time.h"

#include <algorithm>

namespace vyre::trial {
namespace {

using measure::Basis;

// A turn in the race takes at least this long, by as many launches as that needs: what the one
// before it left in the caches then counts for little.
constexpr std::chrono::milliseconds turn{5};

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
std::vector<std::size_t> finalists(std::span<const Evaluated> evaluated) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < evaluated.size(); ++i) {
    const auto& measured = evaluated[i].outcome().measured;
    if (measured && measured->stop != measure::Stop::abandoned) chosen.push_back(i);
  }
  return chosen;
}

struct Failure {
  std::size_t candidate = 0;
  Error error;
};

// Races the candidates chosen; `failure` is whose sample failed, if one did.
Result<measure::RaceResult> race_once(std::span<Evaluated> evaluated,
                                      const std::vector<std::size_t>& chosen,
                                      const TimeOptions& options, const measure::RaceOptions& race,
                                      Clock& clock, std::optional<Failure>& failure) {
  std::vector<measure::Entrant> entrants;
  for (const std::size_t i : chosen) {
    // What only a first launch costs does not count: the worker may have been replaced since.
    const auto sampler = [evaluated, &failure, i, warm = false](std::uint32_t launches) mutable {
      auto sample = evaluated[i].sample(warm ? launches : 1);
      if (sample && !warm) sample = evaluated[i].sample(launches);
      warm = true;
      if (!sample) failure = Failure{i, sample.error()};
      return sample;
    };
    const double one_ns = evaluated[i].outcome().measured->samples.back().wall_ns;
    const std::uint32_t most = options.evaluate.repeat.max_launches;
    entrants.push_back({sampler, measure::launches_for(one_ns, turn, most)});
  }
  return measure::race(entrants, clock, race);
}

std::vector<std::size_t> all_correct(const Report& report) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    if (report.rows[i].outcome.verdict == Verdict::correct) chosen.push_back(i);
  }
  return chosen;
}

// A candidate that fails in the race gets its verdict, and the others race again, also those that
// were abandoned: it may be for the one that failed.
Result<void> run_race(std::span<Evaluated> evaluated, const TimeOptions& options, Clock& clock,
                      Report& report) {
  measure::RaceOptions race = options.race;
  race.basis = report.basis;
  race.confirm_by_wall = report.confirmed_by_wall;
  for (auto chosen = finalists(evaluated); !chosen.empty();) {
    std::optional<Failure> failure;
    auto result = race_once(evaluated, chosen, options, race, clock, failure);
    if (result) {
      report.rounds = result->rounds;
      report.winner = chosen[result->winner];
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        report.rows[chosen[k]].standing = std::move(result->standings[k]);
      }
      return {};
    }
    const auto verdict = failure ? verdict_of(failure->error) : std::nullopt;
    if (!verdict) return Unexpected(result.error());
    Outcome& outcome = report.rows[failure->candidate].outcome;
    outcome.verdict = *verdict;
    outcome.reason = failure->error.message;
    chosen = all_correct(report);
  }
  return {};
}

}  // namespace

Result<Report> race(std::span<Evaluated> entrants, const device::Adapter& adapter,
                    const TimeOptions& options, Clock& clock) {
  Report report{.adapter = adapter, .basis = options.evaluate.basis.value_or(basis_for(adapter))};
  report.confirmed_by_wall = report.basis == Basis::cpu;
  for (const Evaluated& one : entrants) {
    report.rows.push_back({.name = one.name(), .outcome = one.outcome()});
  }
  if (auto raced = run_race(entrants, options, clock, report); !raced) {
    return Unexpected(raced.error());
  }
  for (Row& row : report.rows) summarise(row, adapter.is_cpu);
  return report;
}

Result<Report> time(worker::Session& session, std::span<const Candidate> candidates,
                    const TimeOptions& options, Clock& clock) {
  EvaluateOptions each = options.evaluate;
  std::vector<Evaluated> evaluated;
  for (const Candidate& candidate : candidates) {
    auto one = evaluate(session, candidate, each, clock);
    if (!one) return Unexpected(one.error());
    if (const auto& measured = one->outcome().measured) {
      auto& best = each.repeat.best_ns;
      best = std::min(best.value_or(measured->estimate_ns), measured->estimate_ns);
    }
    evaluated.push_back(*std::move(one));
  }
  return race(evaluated, session.adapter(), options, clock);
}

}  // namespace vyre::trial
