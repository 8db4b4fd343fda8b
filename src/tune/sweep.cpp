#include "tune/sweep.h"

#include <algorithm>
#include <numeric>

#include "schedule/schedule_space.h"
#include "tune/remember.h"

namespace vyre::tune {

std::vector<Extent> candidates_1d(std::uint64_t limit) {
  std::vector<Extent> candidates;
  for (std::uint32_t size = 32; size <= 1024 && size <= limit; size *= 2) {
    candidates.push_back({size, 1, 1});
  }
  return candidates;
}

Result<std::optional<Timed>> best_of(std::span<const Extent> candidates, const Timer& timer) {
  std::optional<Timed> best;
  for (const Extent& candidate : candidates) {
    const auto ns = timer(candidate);
    if (!ns) return Unexpected(ns.error());
    if (!best || *ns < best->ns) best = Timed{candidate, *ns};
  }
  return best;
}

std::vector<space::Index> swept_members(const Family& family, std::uint64_t limit) {
  std::vector<space::Index> members;
  if (!schedule::has_workgroup(family.space.parameters())) {
    members.resize(family.space.size());
    std::iota(members.begin(), members.end(), space::Index{0});
    return members;
  }
  for (const Extent& workgroup : candidates_1d(limit)) {
    const auto member = member_of(family, {.key = {}, .workgroup = workgroup, .evidence = {}});
    if (member) members.push_back(*member);
  }
  if (std::ranges::find(members, family.baseline) == members.end()) {
    members.insert(members.begin(), family.baseline);
  }
  return members;
}

}  // namespace vyre::tune
