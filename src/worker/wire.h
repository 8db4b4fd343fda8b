// Numbers and texts in a row of bytes, for messages between a process and its worker. Both run on
// one machine, so numbers keep its byte order.
//
// A Reader trusts nothing: past the end, or where a length is larger than what is left, every value
// is zero or empty and ok() is false from then on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace vyre::worker {

class Writer {
 public:
  template <class Number>
    requires std::is_arithmetic_v<Number>
  void number(Number value) {
    raw(std::as_bytes(std::span(&value, 1)));
  }
  void bytes(std::span<const std::byte> content) {
    number(std::uint64_t{content.size()});
    raw(content);
  }
  void text(std::string_view content) { bytes(std::as_bytes(std::span(content))); }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(written_); }

 private:
  void raw(std::span<const std::byte> content) {
    written_.insert(written_.end(), content.begin(), content.end());
  }
  std::vector<std::byte> written_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> from) : remaining_(from) {}

  template <class Number>
    requires std::is_arithmetic_v<Number>
  Number number() {
    Number value{};
    const auto content = raw(sizeof(Number));
    if (ok_) std::memcpy(&value, content.data(), sizeof(Number));
    return value;
  }
  bool flag() { return number<std::uint8_t>() != 0; }
  std::span<const std::byte> bytes() { return raw(number<std::uint64_t>()); }
  std::string text() {
    const auto content = bytes();
    return {reinterpret_cast<const char*>(content.data()), content.size()};
  }
  // An enumerator from 0 to `last`.
  template <class Enum>
  Enum one_of(Enum last) {
    const auto value = number<std::uint8_t>();
    if (value > static_cast<std::uint8_t>(last)) ok_ = false;
    return ok_ ? static_cast<Enum>(value) : Enum{};
  }
  void fail() { ok_ = false; }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return ok_ && remaining_.empty(); }

 private:
  std::span<const std::byte> raw(std::uint64_t length) {
    ok_ = ok_ && length <= remaining_.size();
    if (!ok_) return {};
    const auto taken = remaining_.first(length);
    remaining_ = remaining_.subspan(length);
    return taken;
  }
  std::span<const std::byte> remaining_;
  bool ok_ = true;
};

}  // namespace vyre::worker
