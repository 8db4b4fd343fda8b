// What the strategy `natural` believes: the Gaussian process over a pool of candidates
// (surrogate.h), the predicted cost and the chance of success (success.h), kept up to date with
// what was told.
//
// The targets have mean 0 and deviation 1 (history.h). Told noise, the relative standard error e of
// a time, is a standard error of the log-time, so it stands on the diagonal as (e / deviation)^2,
// in units of the targets' variance. A configuration that is still being measured counts as what
// the process expects of it (the "kriging believer" of Ginsbourger, Le Riche and Carraro, "Kriging
// is well-suited to parallelize optimization", 2010, without a new best): it lowers the deviation
// around it and moves no mean.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "search/asked.h"
#include "search/features.h"
#include "search/history.h"
#include "search/pool.h"
#include "search/random.h"
#include "search/settings.h"
#include "search/success.h"
#include "search/surrogate.h"

namespace vyre::search {

class Model {
 public:
  // Of the candidates of one block.
  struct Prediction {
    Lanes target;
    Lanes log_cost;
  };

  Model(const space::Space& space, const Settings& settings);
  Model(const Model&) = delete;  // the surrogate looks at the features
  Model& operator=(const Model&) = delete;

  void tell(Index index, const Observation& outcome);
  // Takes in what was told since the last time. Requires two good answers.
  void update(std::span<const Index> pending, const Asked& asked, Random& random);

  [[nodiscard]] const Features& features() const { return features_; }
  [[nodiscard]] const History& history() const { return history_; }
  // Not yet asked for, and one parameter away from one of the fastest.
  [[nodiscard]] std::vector<Index> neighbours_of_best(std::size_t count, const Asked& asked) const;

  // What follows requires update().
  [[nodiscard]] std::span<const Index> candidates() const { return pool_.candidates(); }
  [[nodiscard]] std::size_t blocks() const { return surrogate_->blocks(); }
  // Where a configuration is among the candidates; it takes the place of another if it is not.
  [[nodiscard]] std::size_t slot_of(Index index, Random& random);

  [[nodiscard]] Prediction predict(std::size_t block);
  // Standard deviation of the target, and the most that it can be.
  [[nodiscard]] float deviation(std::size_t slot);
  [[nodiscard]] float prior_deviation() const { return prior_deviation_; }
  // The best target that was measured.
  [[nodiscard]] float best() const { return best_; }
  [[nodiscard]] float log_success(std::size_t slot) const {
    return success_.log_weight(slot, history_);
  }

 private:
  void refit(Random& random);
  void rebuild(const Asked& asked, Random& random);
  void absorb();
  void drop_outdated_rows();
  [[nodiscard]] bool is_outdated(std::size_t row) const;
  [[nodiscard]] std::size_t told_rows() const;
  void append(Index row);
  void solve();
  [[nodiscard]] std::vector<Index> chosen_rows(Random& random) const;
  [[nodiscard]] double noise_of(Index row, double deviation) const;
  [[nodiscard]] std::vector<double> noise_of(std::span<const Index> rows, double deviation) const;

  space::Space space_;
  Settings settings_;
  Features features_;
  History history_;
  Covariance covariance_;
  Pool pool_;
  std::optional<Surrogate> surrogate_;
  Success success_;
  std::vector<Index> fresh_;                   // told, not yet taken in
  double common_noise_ = 0;                    // the standard error that the fit finds by itself
  double target_deviation_ = 1;                // when the rows were last rebuilt
  std::size_t next_fit_ = 6;                   // as many good ones as the next fit waits for
  bool replaced_ = false;                      // an answer by another one
  std::array<std::vector<float>, 2> weights_;  // of the target, of the log cost
  float best_ = 0;
  float prior_deviation_ = 1;
};

}  // namespace vyre::search
