// How many items of a queue go into one dispatch: the sizes that Resizer goes through, from what
// dispatches took.
//
// A dispatch of s items takes about a + b s, of which a is overhead. The size doubles while a queue
// that keeps it busy gets less than 80 % of the 1 / b items per unit of time that there would be
// without overhead; b is the difference to the next smaller size. It halves when items waited for
// others longer than the device worked, or when the larger size turns out to cost more per item.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>

#include "tune/resize.h"

namespace vyre::tune {

// A dispatch with room for `capacity` items. `idle`: how long it waited to be filled, with nothing
// else to do and at least one item there.
struct BatchRun {
  std::uint32_t items = 0;
  std::uint32_t capacity = 0;
  std::chrono::nanoseconds busy{};
  std::chrono::nanoseconds idle{};
};

class BatchSize {
 public:
  // Requires: powers of two, least <= most.
  BatchSize(std::uint32_t least, std::uint32_t most, double operations_per_item);

  [[nodiscard]] std::uint32_t now() const { return size_; }
  // The least power of two that has room for them, among the sizes that there are.
  [[nodiscard]] std::uint32_t capacity_for(std::uint32_t items) const;
  // The first of each capacity says nothing: it was compiled for it.
  void add(const BatchRun& run);

 private:
  [[nodiscard]] double saturation() const;  // items per microsecond that are enough
  [[nodiscard]] bool loses() const;
  void decide();

  struct Window {
    std::uint32_t runs = 0;
    std::uint32_t full = 0;
    std::uint64_t items = 0;
    double busy_us = 0;
    double idle_us = 0;
  };

  ResizeOptions options_;
  Resizer resizer_;
  double operations_;
  std::uint32_t size_;
  std::set<std::uint32_t> warm_;           // capacities that ran before
  std::map<std::uint32_t, double> costs_;  // microseconds of a run, smoothed, by capacity
  Window window_;
};

}  // namespace vyre::tune
