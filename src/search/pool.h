// The candidates that are compared when a suggestion is made: the whole space where it is small
// enough, else a random part of it, into which the neighbours of good configurations are put.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "search/asked.h"
#include "search/random.h"
#include "vyre/space/space.h"

namespace vyre::search {

class Pool {
 public:
  Pool(space::Index space_size, std::size_t most) : size_(space_size), most_(most) {}

  [[nodiscard]] bool whole() const { return size_ <= most_; }
  [[nodiscard]] std::span<const space::Index> candidates() const { return candidates_; }

  // New candidates: the ones to keep, then free ones at random.
  void refill(std::span<const space::Index> keep, const Asked& asked, Random& random);
  // Where a configuration is, if it is a candidate.
  [[nodiscard]] std::optional<std::size_t> slot(space::Index index) const;
  // Puts it in the place of another, at random. Requires that it is no candidate.
  std::size_t insert(space::Index index, Random& random);

 private:
  void push(space::Index index);

  space::Index size_;
  std::size_t most_;
  std::vector<space::Index> candidates_;
  std::unordered_map<space::Index, std::size_t> slots_;  // empty when whole
};

}  // namespace vyre::search
