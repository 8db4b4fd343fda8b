// How good a search was on recorded data: 0 is random search, 1 finds the optimum at once.
//
// At 50 equidistant times up to the budget a run has
//
//   (baseline - best so far) / (baseline - optimum),
//
// and its score is the mean of these; 0 counts while nothing valid is found. The baseline is the
// mean best of 5,000 random searches at that time; the budget is what random search is expected to
// need for 95 % of the way from the median to the optimum. A second score counts evaluations in
// place of time. After Willemsen, Schoonhoven, Filipovic, Tørring, van Nieuwpoort and van
// Werkhoven, "A methodology for comparing optimization algorithms for auto-tuning", 2024.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/search/strategy.h"

namespace vyre::search {

inline constexpr std::size_t score_points = 50;
inline constexpr std::array<double, 3> score_targets = {1.10, 1.05, 1.01};  // times the optimum

struct RunScore {
  double time = 0;
  double evaluations = 0;
  // Evaluations until within 10, 5 and 1 % of the optimum; 0 if that was never.
  std::array<std::size_t, score_targets.size()> until = {};
};

class Scorer {
 public:
  // Of each configuration its time, nan if it failed, and what it cost to try. Refused if none is
  // valid. `budget` is a number of evaluations to score over in place of the one above.
  [[nodiscard]] static Result<Scorer> make(std::vector<double> times, std::vector<double> costs,
                                           std::size_t budget = 0);

  // Indices in the order of evaluation; none twice.
  [[nodiscard]] RunScore score(std::span<const Index> evaluations) const;

  [[nodiscard]] double optimum() const { return optimum_; }
  [[nodiscard]] std::size_t budget_evaluations() const { return expected_.size(); }
  [[nodiscard]] double budget_cost() const { return budget_cost_; }
  [[nodiscard]] double time(Index index) const { return times_[index]; }
  [[nodiscard]] double cost(Index index) const { return costs_[index]; }
  // expected()[m - 1] is the expected best of m random configurations.
  [[nodiscard]] std::span<const double> expected() const { return expected_; }

 private:
  Scorer(std::vector<double> times, std::vector<double> costs, std::size_t budget);
  void expect(std::span<const double> sorted, std::size_t budget);
  void simulate_baseline();

  std::vector<double> times_, costs_;
  std::vector<double> expected_;
  std::array<double, score_points> baseline_ = {};
  double optimum_ = 0;
  double budget_cost_ = 0;
};

}  // namespace vyre::search
