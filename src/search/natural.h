// The strategy `natural`, and with other settings `gradient` and the ablations.
//
// After a few spread configurations it holds a policy over the space, fitted to what was measured
// (surrogate.h), and asks for the configuration with the greatest expected improvement, weighted by
// the chance of success and divided by the root of the predicted cost; every third time, only
// neighbours of the best are compared. docs/search.md has the reasons and the numbers.
#pragma once

#include <array>
#include <optional>
#include <unordered_set>
#include <vector>

#include "search/asked.h"
#include "search/features.h"
#include "search/history.h"
#include "search/pool.h"
#include "search/random.h"
#include "search/settings.h"
#include "search/success.h"
#include "search/surrogate.h"
#include "vyre/search/strategy.h"

namespace vyre::search {

class Natural : public Strategy {
 public:
  Natural(space::Space space, const Settings& settings, std::uint64_t seed);

  std::vector<Index> ask(std::size_t count) override;
  void tell(Index index, const Observation& outcome) override;
  [[nodiscard]] bool done() const override { return asked_.all(); }

 private:
  // What the rows say, as weights of the surrogate.
  struct View {
    std::array<std::vector<float>, 2> weights;  // of the target, of the log cost
    float best = 0;
    float deviation = 1;  // s of the surrogate
  };

  [[nodiscard]] std::optional<Index> next();
  [[nodiscard]] std::optional<Index> suggest();
  void absorb();
  void refit();
  void fit_kernel();
  void rebuild();
  void append(Index row);
  [[nodiscard]] double row_noise(Index row) const;
  [[nodiscard]] std::vector<Index> chosen_rows();
  [[nodiscard]] std::vector<Index> best_neighbours(std::size_t of) const;

  [[nodiscard]] View view() const;
  void score(const View& view, std::size_t block, float floor, Lanes& out);
  [[nodiscard]] std::optional<Index> most_promising(const View& view);
  [[nodiscard]] std::optional<Index> most_promising_neighbour(const View& view);
  [[nodiscard]] std::optional<Index> drawn(const View& view);

  space::Space space_;
  Settings settings_;
  Random random_;
  Features features_;
  Asked asked_;
  History history_;
  Kernel kernel_;
  Pool pool_;
  std::optional<Surrogate> surrogate_;  // once two configurations are good
  Success success_;
  std::vector<Index> order_;                // in which they were asked for
  std::vector<Index> pending_;              // asked for, not told
  std::vector<Index> fresh_;                // told, not yet absorbed
  std::unordered_set<Index> in_surrogate_;  // its rows
  double target_deviation_ = 1;             // when the rows were last rebuilt
  std::size_t next_fit_ = 6;                // as many good ones as the next fit waits for
  bool stale_ = false;                      // an answer was replaced by a failure, or the reverse
};

}  // namespace vyre::search
