#include "space/literal.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>

namespace vyre::space {
namespace {

std::optional<std::int64_t> read_digits(std::string_view digits, int base) {
  std::int64_t value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> integer_of(std::string_view text) {
  if (text.size() > 2 && text[0] == '0') {
    const char kind = static_cast<char>(text[1] | 0x20);
    const int base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 0;
    if (base != 0) return read_digits(text.substr(2), base);
  }
  const bool padded =
      text.size() > 1 && text[0] == '0' && text.find_first_not_of('0') != std::string_view::npos;
  return padded ? std::nullopt : read_digits(text, 10);
}

// Python allows one underscore between two digits.
bool drop_underscores(std::string& text) {
  const bool bad = text.ends_with('_') || text.find("__") != std::string::npos ||
                   text.find("_.") != std::string::npos || text.find("._") != std::string::npos ||
                   text.find("_e") != std::string::npos || text.find("_E") != std::string::npos;
  std::erase(text, '_');
  return !bad;
}

}  // namespace

Result<Value> read_integer(std::string_view text) {
  std::string plain(text);
  const bool tidy = drop_underscores(plain);
  if (const auto value = tidy ? integer_of(plain) : std::nullopt) return Value(*value);
  const bool digits = tidy && plain.find_first_not_of("0123456789") == std::string::npos;
  if (digits && plain[0] != '0') {
    return fail(ErrorKind::input, fmt::format("{} is beyond 64 bits", plain));
  }
  return fail(ErrorKind::input, fmt::format("'{}' is not a number", plain));
}

Result<Value> read_float(std::string_view text) {
  std::string plain(text);
  const bool tidy = drop_underscores(plain);
  double value = 0;
  const auto read = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (tidy && read.ec == std::errc() && read.ptr == plain.data() + plain.size()) {
    return Value(value);
  }
  return fail(ErrorKind::input, fmt::format("'{}' is not a number that a float can hold", plain));
}

Result<Value> read_string(std::string_view text) {
  constexpr std::string_view escapes = "\\'\"nt";
  constexpr std::string_view meanings = "\\'\"\n\t";
  const std::string_view inside = text.substr(1, text.size() - 2);
  std::string made;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != '\\') {
      made += inside[i];
      continue;
    }
    const std::size_t known = escapes.find(inside[++i]);
    if (known == std::string_view::npos) {
      return fail(ErrorKind::input,
                  fmt::format("'\\{}' is not an escape that is known here", inside[i]));
    }
    made += meanings[known];
  }
  return Value(std::move(made));
}

}  // namespace vyre::space
