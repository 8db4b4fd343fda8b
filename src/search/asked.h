// Which configurations are spoken for: asked for, or told without being asked. One bit each.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "search/random.h"
#include "vyre/space/space.h"

namespace vyre::search {

class Asked {
 public:
  explicit Asked(space::Index size) : flags_(size, false) {}

  [[nodiscard]] bool contains(space::Index index) const { return flags_[index]; }
  [[nodiscard]] std::size_t size() const { return flags_.size(); }  // of the space
  [[nodiscard]] bool all() const { return count_ == flags_.size(); }

  void add(space::Index index) {
    if (flags_[index]) return;
    flags_[index] = true;
    ++count_;
  }

  // One that is still free; uniform as long as a good part is.
  [[nodiscard]] std::optional<space::Index> draw(Random& random) const {
    if (all()) return std::nullopt;
    std::size_t at = 0;
    for (int attempt = 0; attempt < 64; ++attempt) {
      at = random.below(flags_.size());
      if (!flags_[at]) return static_cast<space::Index>(at);
    }
    while (flags_[at]) at = (at + 1) % flags_.size();
    return static_cast<space::Index>(at);
  }

 private:
  std::vector<bool> flags_;
  std::size_t count_ = 0;
};

}  // namespace vyre::search
