// What the times of real dispatches say of the arms that took them.
//
// Times are logarithms, so that a ratio counts the same everywhere. An arm's level is the mean of
// its latest samples without those far from their lower median: one launch that the system held up
// says nothing. An arm is open while it may be better than the best by more than is worth looking
// for,
//
//   level - best level < z sqrt(s^2 / n + s^2 / n_best) - indifference,
//
// s being the noise of all arms together, and while it has not had its share of samples.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "tune/live_policy.h"

namespace vyre::tune {

class LiveArms {
 public:
  explicit LiveArms(const LiveOptions& options) : options_(options) {}

  void add() { arms_.emplace_back(); }
  void tell(std::size_t arm, double ns);
  void pass() { ++told_; }  // a dispatch of which nothing is to be kept
  void restart();
  // Times may have drifted since the best was measured: its samples count from anew, and until
  // others run again they are as far behind it as they were.
  void refresh();

  [[nodiscard]] std::size_t size() const { return arms_.size(); }
  [[nodiscard]] std::size_t told() const { return told_; }  // since the start
  [[nodiscard]] std::size_t best() const { return best_; }
  [[nodiscard]] std::size_t samples(std::size_t arm) const { return arms_[arm].samples; }
  // The latest, in the order of time.
  [[nodiscard]] std::span<const double> latest(std::size_t arm) const { return arms_[arm].ring; }
  // Log of its time against the best's. Requires samples.
  [[nodiscard]] double behind(std::size_t arm) const;
  // The same, or what it was before the restart if it was not tried since.
  [[nodiscard]] double distance(std::size_t arm) const;
  [[nodiscard]] double standard_error(std::size_t arm) const;
  [[nodiscard]] ArmEstimate estimate(std::size_t arm) const;

  // Never tried, the most promising first; without those known to have been far behind. With those
  // that were good before the restart and slow once since: the system may have held them up. Last
  // the best of the last refresh.
  [[nodiscard]] std::vector<std::size_t> untried() const;
  // Tried, not the best, and may be better.
  [[nodiscard]] std::vector<std::size_t> open() const;
  // An arm that had one sample, and a bad one: perhaps the system's fault. The least bad, if any.
  [[nodiscard]] std::optional<std::size_t> second_chance() const;
  [[nodiscard]] bool best_is_sure() const;

 private:
  struct Arm {
    std::vector<double> ring;  // the latest log ns; none: nothing is known of it
    std::size_t samples = 0;   // ever, or since the restart or, of the best, the refresh
    bool is_old = false;       // it has not run since the refresh
    double level = 0;
    double before = 0;      // how far behind before the restart
    bool was_good = false;  // then
  };
  [[nodiscard]] bool is_known(std::size_t arm) const { return !arms_[arm].ring.empty(); }
  [[nodiscard]] bool is_open(std::size_t arm) const;
  [[nodiscard]] bool needs_refresh(std::size_t arm) const;
  void shift_old(double by);
  [[nodiscard]] double level_of(const Arm& arm) const;
  void update_noise();
  void find_best();

  LiveOptions options_;
  std::vector<Arm> arms_;
  std::size_t best_ = 0;
  std::optional<std::size_t> anchor_;  // the best when it was last refreshed
  std::size_t told_ = 0;
  double noise_ = 0.05;  // standard deviation of log time, without what is far away
};

}  // namespace vyre::tune
