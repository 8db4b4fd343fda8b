// The invocations of a launch, batch after batch.
//
// A program in which the invocations of a group can meet (barriers, shared memory) runs one
// workgroup at a time. For any other the grouping cannot be seen, and a batch is a strip of
// consecutive invocations as long as suits the cache: tiny and huge workgroups run equally well.
//
// They come in the order of the grid, or scattered, so that the first few are from all over it.
#pragma once

#include <cstdint>
#include <span>

#include "vyre/ir/expr.h"
#include "vyre/ir/size.h"

namespace vyre::interpret {

class Batches {
 public:
  enum class Order : std::uint8_t { in_order, scattered };
  static Batches groups(const Shape& shape, Order order = Order::in_order);
  static Batches strips(const Shape& shape, std::uint32_t length, Order order = Order::in_order);

  // Invocations in a batch, with the surplus ones of a ragged grid.
  [[nodiscard]] std::uint32_t size() const { return size_; }

  // Whether a batch is a workgroup.
  [[nodiscard]] bool are_groups() const { return whole_groups_; }

  // On to the next batch; false after the last.
  bool next();
  [[nodiscard]] bool is_last() const { return taken_ == count_; }

  void fill_mask(std::span<std::uint32_t> mask) const;
  void fill(ir::Id id, std::span<std::uint32_t> values) const;

  // Of this batch.
  [[nodiscard]] Extent invocation(std::uint32_t position) const;
  // Of the strip that was taken as the n-th, from 0. Requires: strips.
  [[nodiscard]] Extent earlier(std::uint32_t strip, std::uint32_t position) const;

 private:
  Batches(const Shape& shape, bool whole_groups, std::uint32_t size, Order order);

  // The place of the batch that is taken as the n-th.
  [[nodiscard]] Extent base_of(std::uint64_t n) const;

  template <class Visit>
  void walk(Visit visit) const;
  [[nodiscard]] Extent invocation_at(const Extent& at) const;
  [[nodiscard]] bool in_grid(const Extent& at) const;

  Shape shape_;
  bool whole_groups_;
  std::uint32_t size_;
  std::uint64_t count_ = 0;
  std::uint64_t stride_ = 1;  // from one that is taken to the next, modulo the count
  std::uint64_t taken_ = 0;
  Extent base_ = {0, 0, 0};  // the group; or the strip's first invocation
};

}  // namespace vyre::interpret
