#include "space/part.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace vyre::space {
namespace {

std::uint64_t hash(const std::uint8_t* bytes, std::size_t count) {
  std::uint64_t mixed = count;
  while (count > 0) {
    std::uint64_t word = 0;
    const std::size_t taken = std::min<std::size_t>(count, sizeof(word));
    std::memcpy(&word, bytes, taken);
    mixed = (mixed ^ word) * 0x9e3779b97f4a7c15U;
    mixed ^= mixed >> 29;
    bytes += taken;
    count -= taken;
  }
  return mixed * 0xd6e8feb86659fd93U;
}

}  // namespace

Part::Part(std::vector<std::uint32_t> columns, std::size_t widest)
    : columns_(std::move(columns)),
      width_(widest <= 256 ? 1 : 2),
      row_bytes_(columns_.size() * width_) {}

void Part::write(std::span<const Digit> row, std::uint8_t* out) const {
  for (const Digit digit : row) {
    *out++ = static_cast<std::uint8_t>(digit & 0xff);
    if (width_ == 2) *out++ = static_cast<std::uint8_t>(digit >> 8);
  }
}

void Part::add(std::span<const Digit> row) {
  bytes_.resize(bytes_.size() + row_bytes_);
  write(row, bytes_.data() + rows_ * row_bytes_);
  ++rows_;
}

void Part::add(std::span<const std::vector<Digit>> columns, std::size_t lanes) {
  bytes_.resize(bytes_.size() + lanes * row_bytes_);
  std::uint8_t* const first = bytes_.data() + rows_ * row_bytes_;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const Digit* const digits = columns[column].data();
    std::uint8_t* out = first + column * width_;
    for (std::size_t lane = 0; lane < lanes; ++lane, out += row_bytes_) {
      out[0] = static_cast<std::uint8_t>(digits[lane] & 0xff);
      if (width_ == 2) out[1] = static_cast<std::uint8_t>(digits[lane] >> 8);
    }
  }
  rows_ += lanes;
}

std::size_t Part::slot_of(const std::uint8_t* row) const {
  return static_cast<std::size_t>(hash(row, row_bytes_) >> shift_);
}

bool Part::close() {
  const std::size_t count = std::bit_ceil(std::max<std::size_t>(rows_ + rows_ / 2, 4));
  slots_.assign(count, 0);
  shift_ = 64 - static_cast<std::uint32_t>(std::countr_zero(count));
  for (std::size_t row = 0; row < rows_; ++row) {
    const std::uint8_t* const mine = bytes_.data() + row * row_bytes_;
    std::size_t slot = slot_of(mine);
    while (slots_[slot] != 0) {
      const std::uint8_t* const other = bytes_.data() + (slots_[slot] - 1) * row_bytes_;
      if (std::memcmp(mine, other, row_bytes_) == 0) return false;
      slot = (slot + 1) & (count - 1);
    }
    slots_[slot] = static_cast<Index>(row + 1);
  }
  return true;
}

std::optional<Index> Part::find(std::span<const Digit> row) const {
  std::array<std::uint8_t, 2 * max_parameters> wanted;  // only the row's bytes are written and read
  write(row, wanted.data());
  std::size_t slot = slot_of(wanted.data());
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const Index at = slots_[slot] - 1;
    if (std::memcmp(bytes_.data() + at * row_bytes_, wanted.data(), row_bytes_) == 0) return at;
  }
  return std::nullopt;
}

}  // namespace vyre::space
