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

Part::Part(std::vector<std::uint32_t> columns, std::span<const Parameter> parameters)
    : columns_(std::move(columns)), width_(1) {
  for (const std::uint32_t column : columns_) {
    sizes_.push_back(parameters[column].values.size());
    if (sizes_.back() > 256) width_ = 2;
  }
  row_bytes_ = columns_.size() * width_;
}

void Part::write(std::span<const Digit> row, std::uint8_t* out) const {
  for (const Digit digit : row) {
    if (width_ == 2) *out++ = static_cast<std::uint8_t>(digit >> 8);
    *out++ = static_cast<std::uint8_t>(digit & 0xff);
  }
}

void Part::add(std::span<const Digit> row) {
  bytes_.resize(bytes_.size() + row_bytes_);
  write(row, bytes_.data() + rows_ * row_bytes_);
  ++rows_;
}

void Part::add(std::span<const std::vector<Digit>> columns, std::size_t lanes) {
  if (lanes == 0) return;
  bytes_.resize(bytes_.size() + lanes * row_bytes_);
  std::uint8_t* const first = bytes_.data() + rows_ * row_bytes_;
  const std::size_t stride = row_bytes_;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const Digit* const digits = columns[column].data();
    std::uint8_t* out = first + column * width_;
    if (width_ == 2) {
      for (std::size_t i = 0; i < lanes; ++i) {
        out[i * stride] = static_cast<std::uint8_t>(digits[i] >> 8);
      }
      ++out;
    }
    for (std::size_t i = 0; i < lanes; ++i) {
      out[i * stride] = static_cast<std::uint8_t>(digits[i] & 0xff);
    }
  }
  rows_ += lanes;
}

std::size_t Part::slot_of(const std::uint8_t* row) const {
  return static_cast<std::size_t>(hash(row, row_bytes_) >> shift_);
}

bool Part::close() {
  if (!is_ascending()) return index_hashes();
  index_prefixes();
  return true;
}

bool Part::is_ascending() const {
  for (std::size_t at = 1; at < rows_; ++at) {
    if (std::memcmp(row(at - 1), row(at), row_bytes_) >= 0) return false;
  }
  return true;
}

// The longest prefix that has no more combinations than there are rows.
void Part::index_prefixes() {
  std::size_t combinations = 1;
  while (prefix_ < sizes_.size() && combinations * sizes_[prefix_] <= rows_) {
    combinations *= sizes_[prefix_++];
  }
  starts_.assign(combinations + 1, 0);
  std::size_t filled = 0;  // prefixes whose start is known
  for (std::size_t at = 0; at < rows_; ++at) {
    std::size_t place = 0;
    for (std::size_t c = 0; c < prefix_; ++c) place = place * sizes_[c] + digit(at, c);
    while (filled <= place) starts_[filled++] = static_cast<Index>(at);
  }
  while (filled < starts_.size()) starts_[filled++] = static_cast<Index>(rows_);
}

bool Part::index_hashes() {
  const std::size_t count = std::bit_ceil(std::max<std::size_t>(rows_ + rows_ / 2, 4));
  slots_.assign(count, 0);
  shift_ = 64 - static_cast<std::uint32_t>(std::countr_zero(count));
  for (std::size_t at = 0; at < rows_; ++at) {
    std::size_t slot = slot_of(row(at));
    while (slots_[slot] != 0) {
      if (std::memcmp(row(at), row(slots_[slot] - 1), row_bytes_) == 0) return false;
      slot = (slot + 1) & (count - 1);
    }
    slots_[slot] = static_cast<Index>(at + 1);
  }
  return true;
}

std::optional<Index> Part::find(std::span<const Digit> digits) const {
  std::array<std::uint8_t, 2 * max_parameters> wanted;  // only the row's bytes are written and read
  write(digits, wanted.data());
  return slots_.empty() ? find_sorted(wanted.data(), digits) : find_hashed(wanted.data());
}

std::optional<Index> Part::find_sorted(const std::uint8_t* wanted,
                                       std::span<const Digit> digits) const {
  std::size_t place = 0;
  for (std::size_t c = 0; c < prefix_; ++c) place = place * sizes_[c] + digits[c];
  std::size_t first = starts_[place];
  std::size_t last = starts_[place + 1];
  while (first < last) {
    const std::size_t middle = (first + last) / 2;
    const int order = std::memcmp(row(middle), wanted, row_bytes_);
    if (order == 0) return static_cast<Index>(middle);
    order < 0 ? first = middle + 1 : last = middle;
  }
  return std::nullopt;
}

std::optional<Index> Part::find_hashed(const std::uint8_t* wanted) const {
  std::size_t slot = slot_of(wanted);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const Index at = slots_[slot] - 1;
    if (std::memcmp(row(at), wanted, row_bytes_) == 0) return at;
  }
  return std::nullopt;
}

}  // namespace vyre::space
