// The strategy `natural`, and with other settings `gradient` and the ablations: Bayesian
// optimisation, a Gaussian process with expected improvement.
//
// After a few spread configurations it asks for the configuration x with the greatest
//
//   log EI(x) + 2 log p_ok(x) - 1/2 log c(x),   EI(x) = E max(0, best - f(x)),
//
// f(x) the log-latency under the process (Jones, Schonlau and Welch, "Efficient global optimization
// of expensive black-box functions", 1998), p_ok the chance of success, c the predicted cost. Every
// third time, only neighbours of the best are compared. The natural gradient is in the mean of the
// process: it is the Fisher-preconditioned step of a log-linear policy (surrogate.h).
// docs/search.md has the reasons and the numbers.
#pragma once

#include <optional>
#include <vector>

#include "search/asked.h"
#include "search/model.h"
#include "search/random.h"
#include "search/settings.h"
#include "vyre/search/strategy.h"

namespace vyre::search {

class Natural : public Strategy {
 public:
  Natural(const space::Space& space, const Settings& settings, std::uint64_t seed);

  std::vector<Index> ask(std::size_t count) override;
  void tell(Index index, const Observation& outcome) override;
  [[nodiscard]] bool done() const override { return asked_.all(); }

 private:
  [[nodiscard]] std::optional<Index> next();
  [[nodiscard]] std::optional<Index> suggest();
  [[nodiscard]] Lanes scores(std::size_t block, float floor);
  [[nodiscard]] std::optional<Index> most_promising();
  [[nodiscard]] std::optional<Index> most_promising_neighbour();
  [[nodiscard]] std::optional<Index> drawn();

  Settings settings_;
  Random random_;
  Asked asked_;
  Model model_;
  std::vector<Index> order_;    // in which they were asked for
  std::vector<Index> pending_;  // asked for, not told
};

}  // namespace vyre::search
