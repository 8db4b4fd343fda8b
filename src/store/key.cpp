#include "vyre/store/key.h"

#include <cmath>

namespace vyre::store {
namespace {

constexpr std::string_view prefix = "v1-";
// Further than any two sizes can be: one that is known is compared with one that is not.
constexpr double unknown_size = 1e3;

void put_number(std::string& into, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) into += static_cast<char>((number >> (8 * i)) & 0xff);
}

void put_size(std::string& into, const Size& size) {
  for (const std::uint32_t number : size) put_number(into, number, 4);
}

void put_name(std::string& into, std::string_view name) {
  into += name;
  into += '\0';
}

// Of every byte: its value as a hexadecimal digit, or not_hex.
constexpr std::uint8_t not_hex = 0xff;
constexpr auto hex_values = [] {
  std::array<std::uint8_t, 256> values = {};
  values.fill(not_hex);
  for (std::uint8_t i = 0; i < 16; ++i) {
    values[static_cast<std::uint8_t>("0123456789abcdef"[i])] = i;
  }
  return values;
}();

std::uint8_t hex_value(char c) { return hex_values[static_cast<std::uint8_t>(c)]; }

double distance(double left, double right) { return std::abs(std::log2((left + 1) / (right + 1))); }

double distance(const Size& left, const Size& right) {
  double sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += distance(left[i], right[i]);
  return sum;
}

}  // namespace

Key key_of(const Dispatch& dispatch) {
  std::string bytes;
  bytes.reserve(160);
  put_name(bytes, "vyre decision v1");
  put_name(bytes, "program");
  bytes.append(reinterpret_cast<const char*>(dispatch.program.data()), dispatch.program.size());
  put_name(bytes, "workgroup");
  put_size(bytes, dispatch.workgroup);
  put_name(bytes, "groups");
  put_number(bytes, dispatch.groups ? 1 : 0, 1);
  put_size(bytes, dispatch.groups.value_or(Size{}));
  put_name(bytes, "output");
  put_number(bytes, dispatch.output_bytes, 8);
  if (dispatch.input_bytes != 0) {
    put_name(bytes, "input");
    put_number(bytes, dispatch.input_bytes, 8);
  }
  return {blake2b(bytes)};
}

std::string to_string(const Key& key) { return std::string(prefix) + to_hex(key.digest); }

std::optional<Key> parse_key(std::string_view text) {
  if (!text.starts_with(prefix)) return {};
  const auto digest = parse_digest(text.substr(prefix.size()));
  if (!digest) return {};
  return Key{*digest};
}

std::optional<Digest> parse_digest(std::string_view hex) {
  Digest digest;
  if (hex.size() != 2 * digest.size()) return {};
  std::uint8_t all = 0;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    const std::uint8_t high = hex_value(hex[2 * i]);
    const std::uint8_t low = hex_value(hex[2 * i + 1]);
    all |= high | low;
    digest[i] = static_cast<std::byte>(high * 16 + low);
  }
  if (all > 0xf) return {};
  return digest;
}

double distance(const Dispatch& left, const Dispatch& right) {
  double sum =
      distance(left.workgroup, right.workgroup) +
      distance(static_cast<double>(left.output_bytes), static_cast<double>(right.output_bytes)) +
      distance(static_cast<double>(left.input_bytes), static_cast<double>(right.input_bytes));
  if (left.groups && right.groups) {
    sum += distance(*left.groups, *right.groups);
  } else if (left.groups || right.groups) {
    sum += unknown_size;
  }
  return sum;
}

}  // namespace vyre::store
