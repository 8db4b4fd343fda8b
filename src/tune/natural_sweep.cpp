#include "vyre/tune/natural_sweep.h"

#include <algorithm>
#include <utility>

#include "tune/policy.h"

namespace vyre::tune {
namespace {

constexpr std::uint32_t recent_rounds = 64;

std::vector<std::uint64_t> sizes_of(std::span<const Extent> candidates) {
  std::vector<std::uint64_t> sizes;
  for (const Extent& extent : candidates) {
    sizes.push_back(std::uint64_t{extent[0]} * extent[1] * extent[2]);
  }
  return sizes;
}

// Of an even number the lower of the two in the middle.
std::uint64_t middle(std::vector<std::uint64_t> times) {
  const auto at = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
  std::ranges::nth_element(times, at);
  return *at;
}

class NaturalSweeper {
 public:
  NaturalSweeper(std::span<const Extent> candidates, const Timer& timer,
                 const NaturalSweepOptions& options, Policy policy)
      : candidates_(candidates),
        timer_(timer),
        options_(options),
        policy_(std::move(policy)),
        times_(candidates.size()) {
    for (const Extent& candidate : candidates) sweep_.measured.push_back({candidate, 0});
  }

  PolicyResult<NaturalSweep> run(std::optional<PolicyMatrix> estimate) {
    estimate_ = std::move(estimate);
    for (std::size_t round = 0; round < rounds(); ++round) {
      for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (auto done = time(i); !done) return Unexpected(done.error());
      }
      if (auto done = end_round(); !done) return Unexpected(done.error());
    }
    if (auto done = step(); !done) return Unexpected(done.error());
    for (std::size_t probe = 0; probe < options_.probes; ++probe) {
      if (auto done = time(selected_); !done) return Unexpected(done.error());
      if (auto done = end_round(); !done) return Unexpected(done.error());
      if (auto done = step(); !done) return Unexpected(done.error());
    }
    return std::move(sweep_);
  }

 private:
  // A covariance needs two rounds at least, and as many as there are candidates.
  [[nodiscard]] std::size_t rounds() const {
    if (options_.rounds > 0) return options_.rounds;
    return options_.matrix ? 1 : std::max<std::size_t>(candidates_.size(), 2);
  }

  PolicyResult<void> time(std::size_t i) {
    const auto ns = timer_(candidates_[i]);
    if (!ns) return Unexpected(PolicyError{ns.error(), PolicyFault::failed, candidates_[i]});
    times_[i].push_back(*ns);
    sweep_.measured[i].ns = middle(times_[i]);
    ++sweep_.timings;
    return {};
  }

  // What was not timed again took what it took before.
  PolicyResult<void> end_round() {
    if (!estimate_) return {};
    std::vector<std::uint64_t> latest;
    for (const auto& times : times_) latest.push_back(times.back());
    if (auto added = estimate_->add_round(latest); !added) return policy_failure(added.error());
    return {};
  }

  PolicyResult<void> step() {
    if (estimate_) {
      auto matrix = estimate_->inverse_root();
      if (!matrix) return policy_failure(matrix.error());
      sweep_.matrix = *std::move(matrix);
    } else {
      sweep_.matrix = *options_.matrix;
    }
    auto made = policy_.step(sweep_.measured, sweep_.matrix);
    if (!made) return Unexpected(made.error());
    const auto at = std::ranges::find(sweep_.measured, made->selected);
    selected_ = static_cast<std::size_t>(at - sweep_.measured.begin());
    static_cast<PolicyStep&>(sweep_) = *std::move(made);
    return {};
  }

  std::span<const Extent> candidates_;
  const Timer& timer_;
  const NaturalSweepOptions& options_;
  Policy policy_;
  std::optional<PolicyMatrix> estimate_;
  std::vector<std::vector<std::uint64_t>> times_;  // of each candidate
  std::size_t selected_ = 0;
  NaturalSweep sweep_;
};

}  // namespace

PolicyResult<NaturalSweep> natural_sweep(device::Device& device, std::span<const Extent> candidates,
                                         const Timer& timer, const NaturalSweepOptions& options) {
  auto policy = Policy::make(device, candidates.size(), options.temperature);
  if (!policy) return Unexpected(policy.error());
  std::optional<PolicyMatrix> estimate;
  if (options.matrix) {
    if (auto fits = check_matrix(options.matrix->size(), candidates.size()); !fits) {
      return Unexpected(fits.error());
    }
  } else {
    const auto window = std::max(
        recent_rounds, static_cast<std::uint32_t>(std::max<std::size_t>(candidates.size(), 2)));
    auto made = PolicyMatrix::make(device, sizes_of(candidates), {.window = window});
    if (!made) return policy_failure(made.error());
    estimate = *std::move(made);
  }
  return NaturalSweeper(candidates, timer, options, *std::move(policy)).run(std::move(estimate));
}

}  // namespace vyre::tune
