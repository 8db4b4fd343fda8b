#include "tune/sweep.h"

namespace vyre::tune {
namespace {

template <class Found, class Candidate, class Timer>
Result<std::optional<Found>> first_of_the_fastest(std::span<const Candidate> candidates,
                                                  const Timer& timer) {
  std::optional<Found> best;
  for (const Candidate& candidate : candidates) {
    const auto ns = timer(candidate);
    if (!ns) return std::unexpected(ns.error());
    if (!best || *ns < best->ns) best = Found{candidate, *ns};
  }
  return best;
}

}  // namespace

std::vector<Extent> candidates_1d(std::uint64_t limit) {
  std::vector<Extent> candidates;
  for (std::uint32_t size = 32; size <= 1024 && size <= limit; size *= 2) {
    candidates.push_back({size, 1, 1});
  }
  return candidates;
}

Result<std::optional<Timed>> best_of(std::span<const Extent> candidates, const Timer& timer) {
  return first_of_the_fastest<Timed>(candidates, timer);
}

Result<std::optional<TimedMember>> best_of(std::span<const space::Index> members,
                                           const MemberTimer& timer) {
  return first_of_the_fastest<TimedMember>(members, timer);
}

}  // namespace vyre::tune
