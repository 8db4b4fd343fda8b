#include "vyre/tune/sweep.h"

namespace vyre::tune {

std::vector<ir::Extent> candidates_1d(std::uint64_t limit) {
  std::vector<ir::Extent> candidates;
  for (std::uint32_t size = 32; size <= 1024 && size <= limit; size *= 2) {
    candidates.push_back({size, 1, 1});
  }
  return candidates;
}

Result<std::optional<Timed>> best_of(std::span<const ir::Extent> candidates, const Timer& timer) {
  std::optional<Timed> best;
  for (const ir::Extent& workgroup : candidates) {
    const auto ns = timer(workgroup);
    if (!ns) return std::unexpected(ns.error());
    if (!best || *ns < best->ns) best = Timed{workgroup, *ns};
  }
  return best;
}

}  // namespace vyre::tune
