// Which member the next dispatches run, when every dispatch is work that must be done anyway.
//
// Arms are members that may run; they arrive one by one, and what their real launches took is all
// that is known of them. No device and no clock: with one seed and one order of answers a policy
// plans the same. All policies share what `LiveArms` says of the arms (who may still be better than
// the best) and differ in how they divide dispatches among those. docs/live.md compares them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/measure/estimate.h"

namespace vyre::tune {

// What is known of an arm; 0 samples and times of 0 if nothing.
struct ArmEstimate {
  double ns = 0;  // the mean of the logarithm without what is far away
  std::size_t samples = 0;
  measure::Interval interval;  // 95 %, in nanoseconds
};

class LivePolicy {
 public:
  virtual ~LivePolicy() = default;
  // Another arm that may run from now on; arms are numbered 0, 1, ... Arm 0 is what ran at first.
  virtual void add() = 0;
  // What one dispatch of the arm took. What is not a positive number is not counted, nor are times
  // of the best once it is settled: a ChangeDetector watches those.
  virtual void tell(std::size_t arm, double ns) = 0;
  // No more arms are coming (or, after an add(), are coming again).
  virtual void complete(bool all_there) = 0;
  // Arms of the next dispatches, to be run in this order. Requires an arm.
  virtual void plan(std::span<std::size_t> out) = 0;
  // The arm to run when no plan is at hand: the best so far.
  [[nodiscard]] virtual std::size_t best() const = 0;
  // How much of the next dispatches each arm should have; sums to 1.
  [[nodiscard]] virtual std::vector<double> weights() const = 0;
  // Nothing is left to find out: `best` is the answer until something changes. A plan is the best
  // alone then, but for a second chance now and then for an arm that had one launch, and a slow
  // one: the system may have held it up. If it was that, this is false again.
  [[nodiscard]] virtual bool settled() const = 0;
  [[nodiscard]] virtual ArmEstimate estimate(std::size_t arm) const = 0;
  // The times changed for good: what is known only orders the arms from now on.
  virtual void restart() = 0;
};

// Rounds of times, a row for each, a column for each of `arms` arms -> the inverse root of their
// Fisher matrix, arms x arms in Q16.16.
using MatrixSource = std::function<Result<std::vector<std::int32_t>>(
    std::span<const std::uint64_t> rounds, std::size_t arms)>;

// 0 is the policy's own: what was best on recorded spaces.
struct LiveOptions {
  // How much it explores. epsilon: the share of others than the best; thompson: the factor on the
  // standard error; natural and identity: the temperature as a part of the best time; halving: how
  // far behind an arm may be after one sample.
  double exploration = 0;
  double confidence = 0;         // how many standard errors better an arm may be
  std::size_t most_samples = 0;  // of an arm that may still be better
  double indifference = 0.015;   // a gain that is not worth looking for
  // Dispatches between second chances, for each time of the best that one takes longer.
  std::size_t chance_gap = 512;
  MatrixSource matrix;  // of `natural`; without it the identity
};

inline constexpr std::string_view default_live_policy = "thompson";
[[nodiscard]] std::span<const std::string_view> live_policy_names();
[[nodiscard]] Result<std::unique_ptr<LivePolicy>> make_live_policy(std::string_view name,
                                                                   std::uint64_t seed,
                                                                   LiveOptions options = {});

}  // namespace vyre::tune
