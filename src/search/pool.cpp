#include "search/pool.h"

#include <algorithm>
#include <numeric>

namespace vyre::search {

void Pool::refill(std::span<const space::Index> keep, const Asked& asked, Random& random) {
  if (whole()) {
    candidates_.resize(size_);
    std::iota(candidates_.begin(), candidates_.end(), space::Index{0});
    return;
  }
  candidates_.clear();
  slots_.clear();
  for (const space::Index index : keep.first(std::min(keep.size(), most_ / 2))) push(index);
  // Some draws repeat; when most of the space is asked for, they would do so without end.
  for (std::size_t draw = 0; draw < 4 * most_ && candidates_.size() < most_; ++draw) {
    if (const auto index = asked.draw(random)) push(*index);
  }
  // The number of candidates stays the same; asked ones are never chosen.
  for (space::Index index = 0; candidates_.size() < most_; ++index) push(index);
}

void Pool::push(space::Index index) {
  if (slots_.try_emplace(index, candidates_.size()).second) candidates_.push_back(index);
}

std::optional<std::size_t> Pool::slot(space::Index index) const {
  if (whole()) return index;
  const auto found = slots_.find(index);
  return found == slots_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t Pool::insert(space::Index index, Random& random) {
  const std::size_t slot = random.below(candidates_.size());
  slots_.erase(candidates_[slot]);
  candidates_[slot] = index;
  slots_[index] = slot;
  return slot;
}

}  // namespace vyre::search
