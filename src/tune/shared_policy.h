// What all live policies have in common: who is tried first, who gets a second chance, what is
// taken for settled. A policy says how those that may still be the best share the dispatches.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "measure/random.h"
#include "tune/live_arms.h"
#include "tune/live_policy.h"

namespace vyre::tune {

// From 0 to below 1.
inline double fraction(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11U) * 0x1p-53;
}

inline void scale_to(std::span<double> weights, double sum) {
  double all = 0;
  for (const double weight : weights) all += weight;
  for (double& weight : weights) weight *= sum / all;
}

// The frame that all policies share: who is tried first, who gets a second chance, when it ends.
class SharedPolicy : public LivePolicy {
 public:
  SharedPolicy(std::uint64_t seed, LiveOptions options)
      : options_(std::move(options)), arms_(options_), random_(seed) {}

  // What was measured before it settled may be old by now.
  void add() override {
    if (settled()) arms_.refresh();
    arms_.add();
    complete_ = frozen_ = false;
  }
  // Once it is settled the best stays what it was measured as beside the others: whether its times
  // change is for others to say, and all the times of others would be old then.
  void tell(std::size_t arm, double ns) override {
    if (frozen_ && arm == best()) return arms_.pass();
    arms_.tell(arm, ns);
    frozen_ = complete_ && arms_.best_is_sure() && open().empty() && arms_.untried().empty();
  }
  void complete(bool all_there) override { complete_ = all_there; }
  [[nodiscard]] std::size_t best() const override { return arms_.best(); }
  [[nodiscard]] ArmEstimate estimate(std::size_t arm) const override { return arms_.estimate(arm); }
  void restart() override {
    arms_.restart();
    frozen_ = false;
    chance_at_ = 0;
  }

  [[nodiscard]] bool settled() const override {
    return complete_ && arms_.size() > 0 && arms_.best_is_sure() && !explores();
  }

  [[nodiscard]] std::vector<double> weights() const override {
    if (arms_.size() == 0) return {};
    std::vector<double> out = shares(contenders());
    const auto untried = arms_.untried();
    if (untried.empty()) {
      scale_to(out, 1);
      return out;
    }
    const double part =
        static_cast<double>(firsts_of(usual_plan, untried.size())) / double{usual_plan};
    scale_to(out, 1 - part);
    for (const std::size_t arm : untried) out[arm] += part / static_cast<double>(untried.size());
    return out;
  }

  void plan(std::span<std::size_t> out) override {
    check(arms_.size() > 0, "a plan needs an arm");
    std::ranges::fill(out, best());
    if (out.empty()) return;
    frozen_ = settled();
    auto among = contenders();
    const auto untried = arms_.untried();
    if (among.size() == 1 && untried.empty()) return give_chance(out);
    if (prepare(among)) among = contenders();
    sample(among, out);
    const std::size_t firsts = firsts_of(out.size(), untried.size());
    // One sample of each, with others between them.
    for (std::size_t i = 0; i < firsts; ++i) out[i * (out.size() / firsts)] = untried[i];
  }

 protected:
  [[nodiscard]] virtual std::vector<std::size_t> open() const { return arms_.open(); }
  // What each of these should have of the dispatches, in any unit; 0 for the others. The first is
  // the best; there are at least two.
  [[nodiscard]] virtual std::vector<double> share(std::span<const std::size_t> arms) const = 0;
  // Before a plan; whether it changes the shares.
  virtual bool prepare(std::span<const std::size_t> /*among*/) { return false; }

  [[nodiscard]] const LiveOptions& options() const { return options_; }
  [[nodiscard]] const LiveArms& arms() const { return arms_; }
  [[nodiscard]] double exploration() const { return options_.exploration; }
  // The best, and those open that get more than next to nothing: else they would stay open.
  [[nodiscard]] std::vector<std::size_t> contenders() const {
    std::vector<std::size_t> out = open();
    if (out.empty()) return {best()};
    out.insert(out.begin(), best());
    std::vector<double> each = share(out);
    scale_to(each, static_cast<double>(out.size()));
    std::erase_if(out, [&](std::size_t arm) { return arm != best() && each[arm] < least_share; });
    return out;
  }

 private:
  static constexpr std::size_t usual_plan = 16;
  static constexpr double least_share = 0.1;  // of what it would have if all had the same

  [[nodiscard]] bool explores() const {
    return !arms_.untried().empty() || contenders().size() > 1;
  }

  [[nodiscard]] std::vector<double> shares(std::span<const std::size_t> among) const {
    if (among.size() > 1) return share(among);
    std::vector<double> out(arms_.size());
    out[among[0]] = 1;
    return out;
  }

  // At most every other dispatch tries something new.
  static std::size_t firsts_of(std::size_t planned, std::size_t untried) {
    return std::min(std::max<std::size_t>(planned / 2, 1), untried);
  }

  // Systematic sampling: each arm gets its share of this plan, rounded up or down.
  void sample(std::span<const std::size_t> among, std::span<std::size_t> out) {
    std::vector<double> each = shares(among);
    scale_to(each, static_cast<double>(out.size()));
    const double offset = fraction(random_);
    double reached = each[0];
    std::size_t arm = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      while (arm + 1 < each.size() && reached <= static_cast<double>(i) + offset) {
        reached += each[++arm];
      }
      // Rounding must not bring in the last of all.
      out[i] = each[arm] > 0 ? arm : best();
    }
    measure::shuffle(out, random_);
  }

  void give_chance(std::span<std::size_t> out) {
    const auto arm = arms_.second_chance();
    if (!arm || arms_.told() < chance_at_) return;
    out[out.size() / 2] = *arm;
    // The longer it takes, the longer until the next.
    const double cost = std::ceil(std::expm1(arms_.distance(*arm)));
    chance_at_ = arms_.told() + options_.chance_gap * static_cast<std::size_t>(cost);
  }

  LiveOptions options_;
  LiveArms arms_;
  std::mt19937_64 random_;
  std::size_t chance_at_ = 0;
  bool complete_ = false;
  bool frozen_ = false;  // settled, when that was last looked at
};

}  // namespace vyre::tune
