#include "measure/race.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <utility>

#include "base/check.h"
#include "measure/random.h"

namespace vyre::measure {
namespace {

// Whatever the budget: fewer leave everything open.
constexpr std::uint32_t fewest_rounds = 3;

// How sure the order of two entrants must be. A race looks after every round, and each look is a
// chance to be wrong: 95 % would not be kept over sixty of them.
constexpr double certainty = 0.995;
// How sure it must be that the difference is within the margin.
constexpr double tie_certainty = 0.95;

// What the rounds so far say of one entrant against another, brought up to date when asked.
class Pairs {
 public:
  Pairs(const std::vector<Standing>& standings, Basis basis)
      : standings_(&standings), basis_(basis) {}

  // Noise only adds, so the fastest samples come closest to the truth.
  [[nodiscard]] double fastest(std::size_t i) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Sample& s : (*standings_)[i].samples) least = std::min(least, value(s, basis_));
    return least;
  }

  // Of `first` being slower than `second`.
  const Evidence& evidence(std::size_t first, std::size_t second) {
    Evidence& known = pairs_[{first, second}];
    const auto& a = (*standings_)[first].samples;
    const auto& b = (*standings_)[second].samples;
    for (std::size_t i = known.pairs(); i < std::min(a.size(), b.size()); ++i) {
      known.add(time(a[i]), time(b[i]));
    }
    return known;
  }

 private:
  // A clock too coarse for a sample may read 0.
  [[nodiscard]] double time(const Sample& sample) const {
    return std::max(value(sample, basis_), 1e-3);
  }

  const std::vector<Standing>* standings_;
  Basis basis_;
  std::map<std::pair<std::size_t, std::size_t>, Evidence> pairs_;
};

class Race {
 public:
  Race(std::span<const Entrant> entrants, const RaceOptions& options)
      : entrants_(entrants),
        options_(options),
        random_(options.seed),
        standings_(entrants.size()),
        running_(entrants.size()),
        by_basis_(standings_, options.basis),
        by_wall_(standings_, Basis::wall) {
    std::iota(running_.begin(), running_.end(), std::size_t{0});
  }

  Result<void> round() {
    std::vector<std::size_t> order = running_;
    shuffle(std::span(order), random_);
    for (const std::size_t i : order) {
      const auto sample = entrants_[i].sampler(entrants_[i].launches);
      if (!sample) return Unexpected(sample.error());
      standings_[i].samples.push_back(*sample);
    }
    ++rounds_;
    return {};
  }

  // Places everybody against the leader and drops who is surely slower. Whether all is settled.
  bool settle() {
    leader_ = fastest();
    bool open = false;
    std::vector<std::size_t> left;
    for (const std::size_t i : running_) {
      const auto rank = rank_of(i);
      open = open || !rank;
      if (rank != Rank::slower) left.push_back(i);
    }
    const bool early = rounds_ < options_.min_rounds;
    if (!early) running_ = std::move(left);
    return !early && !open;
  }

  RaceResult finish() {
    for (std::size_t i = 0; i < standings_.size(); ++i) describe(i);
    return {options_.basis, std::move(standings_), leader_, rounds_};
  }

 private:
  // By the medians of the entrants still in the race, which all have the same rounds.
  std::size_t fastest() const {
    return *std::ranges::min_element(running_, {}, [&](std::size_t i) { return estimate(i); });
  }

  double estimate(std::size_t i) const {
    std::vector<double> times;
    for (const Sample& s : standings_[i].samples) times.push_back(value(s, options_.basis));
    return median(times);
  }

  bool is_slower(Pairs& pairs, std::size_t first, std::size_t second) const {
    const Evidence& known = pairs.evidence(first, second);
    return known.first_is_slower_by(0) >= certainty &&
           known.first_is_slower_by(options_.margin) >= 0.5 &&
           pairs.fastest(first) > pairs.fastest(second);
  }

  bool contradicted(std::size_t i) {
    return options_.confirm_by_wall && is_slower(by_wall_, leader_, i);
  }

  // Empty while it is open.
  std::optional<Rank> rank_of(std::size_t i) {
    if (i == leader_) return Rank::winner;
    if (is_slower(by_basis_, i, leader_)) return contradicted(i) ? Rank::tied : Rank::slower;
    if (by_basis_.evidence(i, leader_).within(options_.margin) >= tie_certainty) return Rank::tied;
    return std::nullopt;
  }

  void describe(std::size_t i) {
    Standing& standing = standings_[i];
    standing.estimate_ns = estimate(i);
    standing.rank = rank_of(i).value_or(Rank::tied);
    standing.ratio_interval = {1, 1};
    if (i == leader_) return;
    const Evidence& known = by_basis_.evidence(i, leader_);
    standing.ratio = known.ratio();
    standing.ratio_interval = known.ratio_interval();
    standing.contradicted = standing.rank == Rank::tied && contradicted(i);
  }

  std::span<const Entrant> entrants_;
  const RaceOptions& options_;
  std::mt19937_64 random_;
  std::vector<Standing> standings_;
  std::vector<std::size_t> running_;
  Pairs by_basis_;
  Pairs by_wall_;
  std::size_t leader_ = 0;
  std::uint32_t rounds_ = 0;
};

}  // namespace

std::string_view name_of(Rank rank) {
  switch (rank) {
    case Rank::winner:
      return "winner";
    case Rank::tied:
      return "tied";
    case Rank::slower:
      return "slower";
  }
  return "slower";
}

Result<RaceResult> race(std::span<const Entrant> entrants, Clock& clock,
                        const RaceOptions& options) {
  check(!entrants.empty(), "a race has an entrant");
  Race under_way(entrants, options);
  const auto end = clock.now() + options.budget;
  for (std::uint32_t round = 0; round < options.max_rounds; ++round) {
    if (auto ran = under_way.round(); !ran) return Unexpected(ran.error());
    if (under_way.settle() || (round + 1 >= fewest_rounds && clock.now() >= end)) break;
  }
  return under_way.finish();
}

}  // namespace vyre::measure
