// What a strategy was told: each configuration once, with the logarithms of its time and its cost.
//
// targets() turns log-times into what the Gaussian process is fitted to: slow ones are drawn in to
// twice the distance from the best to the median, since how slow they are does not matter, and all
// are shifted and scaled to mean 0 and deviation 1. The advantage of a configuration is minus its
// target.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "vyre/search/strategy.h"

namespace vyre::search {

struct Targets {
  std::vector<double> values;
  double best = 0;       // of the values
  double deviation = 1;  // of the logarithms, before scaling
};

class History {
 public:
  struct Entry {
    Index index = 0;
    bool good = false;
    double log_time = 0;
    double noise = 0;  // standard error of log_time, 0 if not known
    double log_cost = 0;
  };

  // Whether it replaced an older answer.
  bool add(Index index, const Observation& outcome);

  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
  [[nodiscard]] const Entry* find(Index index) const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::size_t good() const { return good_; }
  [[nodiscard]] bool any_failed() const { return good_ < entries_.size(); }

  // All that did not fail, in the order in which they came; or the fastest, fastest first.
  [[nodiscard]] std::vector<Index> good_indices() const;
  [[nodiscard]] std::vector<Index> fastest(std::size_t count) const;

  // Told of those that did not fail; 0 if there are none.
  [[nodiscard]] double median_noise() const;

  // Requires good configurations.
  [[nodiscard]] Targets targets(std::span<const Index> of) const;

 private:
  std::vector<Entry> entries_;
  std::unordered_map<Index, std::size_t> places_;
  std::size_t good_ = 0;
};

}  // namespace vyre::search
