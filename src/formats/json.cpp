#include "formats/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace vyre::formats {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array<std::string_view, 6> words = {"true", "false",    "null",
                                                   "NaN",  "Infinity", "-Infinity"};

bool is_number_char(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

void append_utf8(std::string& into, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { into += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xe0 | code >> 12);
    } else {
      put(0xf0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3f));
    }
    put(0x80 | (code >> 6 & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

}  // namespace

Place Json::place() const {
  const std::string_view before = text_.substr(0, at_);
  const auto lines = std::ranges::count(before, '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {static_cast<std::uint32_t>(lines + 1), static_cast<std::uint32_t>(at_ - line_start + 1)};
}

void Json::fail(std::string message) {
  if (error_) return;
  error_ = Error{.message = std::move(message), .place = place()};
  at_ = text_.size();
}

void Json::wanted(std::string_view what) {
  if (failed()) return;
  cut_off_ = at_ >= text_.size();
  const std::string found = cut_off_ ? "the end" : fmt::format("'{}'", text_[at_]);
  fail(fmt::format("expected {}, found {}", what, found));
}

void Json::skip_space() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
    ++at_;
  }
}

JsonKind Json::peek() {
  skip_space();
  if (at_ >= text_.size()) return JsonKind::end;
  const char c = text_[at_];
  if (c == '{') return JsonKind::object;
  if (c == '[') return JsonKind::array;
  if (c == '"') return JsonKind::string;
  const auto starts = [&](std::string_view word) { return text_.substr(at_).starts_with(word); };
  if (std::ranges::any_of(words, starts)) return JsonKind::word;
  return is_number_char(c) ? JsonKind::number : JsonKind::bad;
}

bool Json::enter(char open, std::string_view what) {
  skip_space();
  if (at_ >= text_.size() || text_[at_] != open) {
    wanted(what);
    return false;
  }
  if (started_.size() >= max_depth) {
    fail(fmt::format("nested deeper than {}", max_depth));
    return false;
  }
  ++at_;
  started_.push_back(false);
  return true;
}

bool Json::next(char close) {
  if (failed()) return false;
  skip_space();
  if (at_ < text_.size() && text_[at_] == close) {
    ++at_;
    started_.pop_back();
    return false;
  }
  if (started_.back()) {
    if (at_ >= text_.size() || text_[at_] != ',') {
      wanted(fmt::format("',' or '{}'", close));
      return false;
    }
    ++at_;
  }
  started_.back() = true;
  return true;
}

bool Json::next_member() {
  if (!next('}')) return false;
  key_ = string();
  skip_space();
  if (at_ >= text_.size() || text_[at_] != ':') {
    wanted("':' after the name");
    return false;
  }
  ++at_;
  return true;
}

bool Json::next_element() { return next(']'); }

std::string Json::string() {
  if (peek() != JsonKind::string) {
    wanted("a string");
    return {};
  }
  return text_of_string();
}

// Between the quotes; at_ is on the first.
std::string Json::text_of_string() {
  std::string made;
  ++at_;
  while (!failed()) {
    const std::size_t stop = std::min(text_.find_first_of("\"\\\n", at_), text_.size());
    made.append(text_.substr(at_, stop - at_));
    at_ = stop;
    if (at_ >= text_.size() || text_[at_] == '\n') {
      wanted("'\"' to end the string");
    } else if (text_[at_] == '"') {
      ++at_;
      return made;
    } else if (!escape(made)) {
      wanted("an escape such as \\n or \\u00e9");
    }
  }
  return {};
}

std::optional<std::uint32_t> Json::hex4() {
  std::uint32_t code = 0;
  const std::string_view digits = text_.substr(at_, 4);
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (digits.size() < 4 || read.ptr != digits.data() + 4) return std::nullopt;
  at_ += 4;
  return code;
}

bool Json::escape(std::string& into) {
  constexpr std::string_view names = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  ++at_;
  if (at_ >= text_.size()) return false;
  if (const std::size_t known = names.find(text_[at_]); known != std::string_view::npos) {
    into += meanings[known];
    ++at_;
    return true;
  }
  if (text_[at_] != 'u') return false;
  ++at_;
  auto code = hex4();
  if (code && *code >= 0xd800 && *code < 0xdc00 && text_.substr(at_, 2) == "\\u") {
    at_ += 2;
    const auto low = hex4();
    if (!low) return false;
    code = 0x10000 + ((*code - 0xd800) << 10) + ((*low - 0xdc00) & 0x3ff);
  }
  if (code) append_utf8(into, *code);
  return code.has_value();
}

// An integer where it is written as one and fits into 64 bits, else a float.
space::Value Json::number_value() {
  std::size_t length = 0;
  while (at_ + length < text_.size() && is_number_char(text_[at_ + length])) ++length;
  const char* const first = text_.data() + at_;
  const char* const last = first + length;
  std::int64_t integer = 0;
  if (const auto read = std::from_chars(first, last, integer);
      read.ec == std::errc() && read.ptr == last) {
    at_ += length;
    return integer;
  }
  double real = 0;
  const auto read = std::from_chars(first, last, real);
  if (read.ptr != last || read.ec == std::errc::invalid_argument) {
    const bool at_end = at_ + length >= text_.size();
    wanted("a number");
    cut_off_ = at_end;
    return real;
  }
  at_ += length;
  if (read.ec == std::errc::result_out_of_range) {
    return std::string_view(first, length).find("e-") == std::string_view::npos ? infinity : 0.0;
  }
  return real;
}

std::optional<space::Value> Json::word() {
  const auto starts = [&](std::string_view word) { return text_.substr(at_).starts_with(word); };
  const std::string_view found = *std::ranges::find_if(words, starts);
  at_ += found.size();
  if (found == "true" || found == "false") return space::Value(found == "true");
  if (found == "NaN") return space::Value(std::nan(""));
  if (found == "null") return std::nullopt;
  return space::Value(found == "Infinity" ? infinity : -infinity);
}

double Json::number() {
  const auto value = scalar();
  if (value) {
    if (const auto* real = std::get_if<double>(&*value)) return *real;
    if (const auto* integer = std::get_if<std::int64_t>(&*value)) {
      return static_cast<double>(*integer);
    }
  }
  fail("expected a number");
  return 0;
}

std::optional<space::Value> Json::scalar() {
  switch (peek()) {
    case JsonKind::string:
      return space::Value(text_of_string());
    case JsonKind::number:
      return number_value();
    case JsonKind::word:
      return word();
    default:
      skip();
      return std::nullopt;
  }
}

std::vector<space::Value> Json::scalars() {
  std::vector<space::Value> values;
  enter_array();
  while (next_element()) {
    if (auto value = scalar()) {
      values.push_back(*std::move(value));
    } else {
      fail("a value is a number, a string, true or false");
    }
  }
  return values;
}

void Json::skip() {
  switch (peek()) {
    case JsonKind::object:
      enter_object();
      while (next_member()) skip();
      return;
    case JsonKind::array:
      enter_array();
      while (next_element()) skip();
      return;
    case JsonKind::end:
    case JsonKind::bad:
      wanted("a value");
      return;
    default:
      static_cast<void>(scalar());
  }
}

void Json::finish() {
  skip_space();
  if (!failed() && at_ < text_.size()) fail("text after the end of the value");
}

}  // namespace vyre::formats
