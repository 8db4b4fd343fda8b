#include "store/steps.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "store/utf8.h"

namespace vyre::store {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' || c == '_';
}

template <class Belongs>
std::size_t leading(std::string_view text, Belongs belongs) {
  std::size_t length = 0;
  while (length < text.size() && belongs(text[length])) ++length;
  return length;
}

bool is_part_of_real(char c) { return is_digit(c) || c == '.' || c == 'e' || c == '+' || c == '-'; }

bool is_simple(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

// The bytes that a character of a simple string takes; 0 if it is none.
std::size_t width(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte >= 0x80) return utf8_length(text);
  return byte < 0x20 || byte == 0x7f || byte == '\\' ? 0 : 1;
}

}  // namespace

bool Steps::fail() {
  failed_ = true;
  rest_ = {};
  return false;
}

bool Steps::take(std::string_view word) {
  if (failed_ || !sees(word)) return fail();
  rest_.remove_prefix(word.size());
  return true;
}

std::string_view Steps::characters(std::size_t count) {
  const std::string_view found = rest_.substr(0, count);
  if (found.size() < count) {
    fail();
    return {};
  }
  rest_.remove_prefix(count);
  return found;
}

// Only as it is written: no sign, no leading zero.
std::uint64_t Steps::natural() {
  const std::string_view word = rest_.substr(0, leading(rest_, is_digit));
  std::uint64_t value = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || read.ec != std::errc() || (word.size() > 1 && word[0] == '0')) {
    fail();
    return 0;
  }
  rest_.remove_prefix(word.size());
  return value;
}

// Digits on both sides of a point, an exponent, or both.
double Steps::real() {
  const std::string_view word = rest_.substr(0, leading(rest_, is_part_of_real));
  const std::size_t sign = word.starts_with('-') ? 1 : 0;
  const std::size_t whole = leading(word.substr(std::min(sign, word.size())), is_digit);
  const std::string_view tail = word.substr(std::min(sign + whole, word.size()));
  const bool leading_zero = whole > 1 && word[sign] == '0';
  const bool has_fraction = tail.size() > 1 && tail[0] == '.' && is_digit(tail[1]);
  double value = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  if (whole == 0 || leading_zero || !(has_fraction || tail.starts_with('e')) ||
      read.ec != std::errc() || read.ptr != word.data() + word.size()) {
    fail();
    return 0;
  }
  rest_.remove_prefix(word.size());
  return value;
}

Size Steps::size() {
  Size made = {};
  take("[");
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (i > 0) take(", ");
    const std::uint64_t number = natural();
    if (number > std::numeric_limits<std::uint32_t>::max()) fail();
    made[i] = static_cast<std::uint32_t>(number);
  }
  take("]");
  return made;
}

std::string Steps::string() {
  take("\"");
  std::size_t length = leading(rest_, is_simple);
  while (length < rest_.size() && rest_[length] != '"') {
    const std::size_t more = width(rest_.substr(length));
    if (more == 0) fail();
    length += more;
  }
  std::string made(rest_.substr(0, length));
  rest_.remove_prefix(made.size());
  take("\"");
  return made;
}

std::string Steps::name() {
  if (sees("\"")) return string();
  std::string made(rest_.substr(0, leading(rest_, is_bare)));
  rest_.remove_prefix(made.size());
  if (made.empty()) fail();
  return made;
}

space::Value Steps::value() {
  if (sees("\"")) return string();
  if (sees("true")) return take("true");
  if (sees("false")) return !take("false");
  const std::size_t whole = leading(rest_, [](char c) { return is_digit(c) || c == '-'; });
  const std::string_view behind = rest_.substr(whole);
  if (behind.starts_with('.') || behind.starts_with('e')) return real();
  const bool negative = sees("-");
  if (negative) take("-");
  const std::uint64_t number = natural();
  // The least number, which has no opposite, is left to the other reader.
  if (number > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) fail();
  const auto value = static_cast<std::int64_t>(number);
  return negative ? -value : value;
}

std::vector<Setting> Steps::settings() {
  std::vector<Setting> made;
  if (sees("{}")) {
    take("{}");
    return made;
  }
  take("{ ");
  while (!failed_) {
    std::string key = name();
    take(" = ");
    made.push_back({std::move(key), value()});
    if (!sees(", ")) break;
    take(", ");
  }
  take(" }");
  return made;
}

std::chrono::sys_seconds Steps::date() {
  using namespace std::chrono;
  const auto number = [&](std::size_t count) {
    unsigned made = 0;
    for (const char c : characters(count)) {
      if (!is_digit(c)) fail();
      made = made * 10 + static_cast<unsigned>(c - '0');
    }
    return made;
  };
  const auto next = [&](std::string_view separator, std::size_t count) {
    take(separator);
    return number(count);
  };
  const year y(static_cast<int>(number(4)));
  const month m(next("-", 2));
  const day d(next("-", 2));
  const unsigned hour = next("T", 2);
  const unsigned minute = next(":", 2);
  const unsigned second = next(":", 2);
  take("Z");
  if (failed_ || !(y / m / d).ok() || hour > 23 || minute > 59 || second > 59) {
    fail();
    return {};
  }
  return sys_days(y / m / d) + hours(hour) + minutes(minute) + seconds(second);
}

}  // namespace vyre::store
