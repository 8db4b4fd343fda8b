#include "report/text.h"

#include <fmt/format.h>

namespace vyre::report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// How many bytes the character at the front should have by its first byte; 0 if it cannot start
// one.
std::size_t announced(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

// The character at the front of a text that is not empty, or 0 if those bytes are none.
std::size_t character_length(std::string_view text) {
  const std::size_t length = announced(static_cast<unsigned char>(text[0]));
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return 0;
  }
  return length;
}

std::string_view escape_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? " " : std::string_view();
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view escape = length == 1 ? escape_of(text[0]) : std::string_view();
    if (length == 0) {
      out += replacement;
    } else {
      out += escape.empty() ? text.substr(0, length) : escape;
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t end = 0;
  std::size_t without_last = 0;
  for (std::size_t count = 0; end < text.size(); ++count) {
    if (count == most) return std::string(text.substr(0, without_last)) + "\u2026";
    without_last = end;
    const std::size_t length = character_length(text.substr(end));
    end += length == 0 ? 1 : length;
  }
  return std::string(text);
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace vyre::report
