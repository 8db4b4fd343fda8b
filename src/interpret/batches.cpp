#include "interpret/batches.h"

#include <algorithm>
#include <numeric>

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

// What fits; nobody runs more.
std::uint64_t volume(const Extent& box) {
  constexpr std::uint64_t most = std::uint64_t{1} << 63U;
  const std::uint64_t plane = std::uint64_t{box[0]} * box[1];
  return box[2] > 1 && plane > most / box[2] ? most : plane * box[2];
}

// Near the golden section, which spreads the first few best, and without a common divisor, so that
// every batch comes once. In order where products of two numbers of batches might not fit.
std::uint64_t scattering_stride(std::uint64_t count) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32U;
  if (count >= most) return 1;
  auto stride = static_cast<std::uint64_t>(static_cast<double>(count) * 0.6180339887);
  stride = std::max<std::uint64_t>(stride, 1);
  while (std::gcd(stride, count) != 1) ++stride;
  return stride;
}

void advance(Extent& at, const Extent& box) {
  if (++at[0] < box[0]) return;
  at[0] = 0;
  if (++at[1] < box[1]) return;
  at[1] = 0;
  ++at[2];
}

}  // namespace

Batches::Batches(const Shape& shape, bool whole_groups, std::uint32_t size, Order order)
    : shape_(shape), whole_groups_(whole_groups), size_(size) {
  const std::uint64_t all = volume(whole_groups ? shape.groups : shape.grid);
  count_ = whole_groups ? all : (all + size - 1) / size;
  if (order == Order::scattered) stride_ = scattering_stride(count_);
}

Batches Batches::groups(const Shape& shape, Order order) {
  return {shape, true, static_cast<std::uint32_t>(volume(shape.workgroup)), order};
}

Batches Batches::strips(const Shape& shape, std::uint32_t length, Order order) {
  return {shape, false, length, order};
}

bool Batches::next() {
  if (is_last()) return false;
  base_ = base_of(taken_++);
  return true;
}

Extent Batches::base_of(std::uint64_t n) const {
  const std::uint64_t number = n * stride_ % count_;
  const Extent& box = whole_groups_ ? shape_.groups : shape_.grid;
  return advanced({0, 0, 0}, number * (whole_groups_ ? 1 : size_), box);
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
  return advanced(base_of(strip), position, shape_.grid);
}

}  // namespace vyre::interpret
