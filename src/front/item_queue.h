// Items that wait for a dispatch: the bytes of each array that a kernel reads, and when they came.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "front/batch_kernel.h"

namespace vyre::detail {

class ItemQueue {
 public:
  using Bytes = BatchKernel::Bytes;
  using Parts = AnyBatches::Parts;
  using Time = std::chrono::nanoseconds;

  explicit ItemQueue(std::vector<ItemPart> parts)
      : parts_(std::move(parts)), staged_(parts_.size()) {}

  [[nodiscard]] std::uint64_t pushed() const { return pushed_; }  // since the beginning
  [[nodiscard]] std::uint64_t taken() const { return taken_; }    // of these
  [[nodiscard]] std::uint64_t waiting() const { return pushed_ - taken_; }
  // Of the first that waits. Requires: there is one.
  [[nodiscard]] Time oldest() const { return arrivals_.front().time; }

  // Whole items; all of them or, where memory runs out, none.
  [[nodiscard]] Result<void> push(Parts inputs, std::size_t items, Time now);
  // The first items, and copies of the last of them up to `capacity`. They wait until drop().
  void gather(std::uint32_t items, std::uint32_t capacity, Bytes& into) const;
  void drop(std::uint32_t items);

 private:
  struct Arrival {
    std::uint64_t last = 0;  // the number of items that were pushed by then
    Time time{};
  };
  void truncate(std::size_t items);

  std::vector<ItemPart> parts_;
  Bytes staged_;             // by part
  std::size_t dropped_ = 0;  // items at the front of staged_ that wait no more
  std::deque<Arrival> arrivals_;
  std::uint64_t pushed_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace vyre::detail
