#include "interpret/batches.h"

#include <algorithm>

namespace vyre::interpret {
namespace {

// The place `distance` after `from`, x running fastest. Its z may lie beyond the box.
Extent advanced(const Extent& from, std::uint64_t distance, const Extent& box) {
  const std::uint64_t x = from[0] + distance;
  const std::uint64_t y = from[1] + x / box[0];
  const std::uint64_t z = from[2] + y / box[1];
  return {static_cast<std::uint32_t>(x % box[0]), static_cast<std::uint32_t>(y % box[1]),
          static_cast<std::uint32_t>(std::min<std::uint64_t>(z, box[2]))};
}

void advance(Extent& at, const Extent& box) {
  if (++at[0] < box[0]) return;
  at[0] = 0;
  if (++at[1] < box[1]) return;
  at[1] = 0;
  ++at[2];
}

}  // namespace

Batches::Batches(const Shape& shape, bool whole_groups, std::uint32_t size)
    : shape_(shape), whole_groups_(whole_groups), size_(size) {}

Batches Batches::groups(const Shape& shape) {
  const Extent& group = shape.workgroup;
  return {shape, true, group[0] * group[1] * group[2]};
}

Batches Batches::strips(const Shape& shape, std::uint32_t length) { return {shape, false, length}; }

bool Batches::next() {
  if (!started_) return started_ = true;
  const Extent& box = whole_groups_ ? shape_.groups : shape_.grid;
  base_ = advanced(base_, whole_groups_ ? 1 : size_, box);
  return base_[2] < box[2];
}

// Calls visit(position in the batch, place): the place is the local id in a group and the
// invocation in a strip.
template <class Visit>
void Batches::walk(Visit visit) const {
  const Extent& box = whole_groups_ ? shape_.workgroup : shape_.grid;
  Extent at = whole_groups_ ? Extent{0, 0, 0} : base_;
  for (std::uint32_t i = 0; i < size_; ++i) {
    visit(i, at);
    advance(at, box);
  }
}

void Batches::fill_mask(std::span<std::uint32_t> mask) const {
  walk([&](std::uint32_t i, const Extent& at) { mask[i] = in_grid(at) ? 1 : 0; });
}

void Batches::fill(ir::Id id, std::span<std::uint32_t> values) const {
  const std::uint32_t base = base_[id.dim];
  const std::uint32_t extent = shape_.workgroup[id.dim];
  const auto set = [&](auto value) {
    walk([&](std::uint32_t i, const Extent& at) { values[i] = value(at[id.dim]); });
  };
  if (id.kind == ir::IdKind::invocation) {
    const std::uint32_t first = whole_groups_ ? base * extent : 0;
    set([&](std::uint32_t at) { return first + at; });
  } else if (id.kind == ir::IdKind::local) {
    set([&](std::uint32_t at) { return whole_groups_ ? at : at % extent; });
  } else {
    set([&](std::uint32_t at) { return whole_groups_ ? base : at / extent; });
  }
}

bool Batches::in_grid(const Extent& at) const {
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t first =
        whole_groups_ ? std::uint64_t{base_[d]} * shape_.workgroup[d] : std::uint64_t{0};
    if (first + at[d] >= shape_.grid[d]) return false;
  }
  return true;
}

Extent Batches::invocation_at(const Extent& at) const {
  if (!whole_groups_) return at;
  Extent result = at;
  for (std::size_t d = 0; d < 3; ++d) result[d] += base_[d] * shape_.workgroup[d];
  return result;
}

Extent Batches::invocation(std::uint32_t position) const {
  const Extent& box = whole_groups_ ? shape_.workgroup : shape_.grid;
  return invocation_at(advanced(whole_groups_ ? Extent{0, 0, 0} : base_, position, box));
}

Extent Batches::earlier(std::uint32_t strip, std::uint32_t position) const {
  return advanced({0, 0, 0}, std::uint64_t{strip} * size_ + position, shape_.grid);
}

}  // namespace vyre::interpret
