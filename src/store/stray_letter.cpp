#include "store/stray_letter.h"

#include <algorithm>

namespace vyre::store {
namespace {

bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

Place place_at(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t column = at - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  return {static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column)};
}

// Past the quote that ends a text of one line; the end of everything if a line ends first.
std::size_t end_of_text(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == quote) return at + 1;
    if (text[at] == '\\' && quote == '"') ++at;
  }
  return text.size();
}

}  // namespace

std::optional<Place> stray_letter(std::string_view text) {
  const bool has_long_texts =
      text.find("\"\"\"") != std::string_view::npos || text.find("'''") != std::string_view::npos;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (is_beyond_ascii(c)) return place_at(text, at);
    if (c == '#' && !has_long_texts) {
      at = std::min(text.find('\n', at), text.size());
    } else if ((c == '"' || c == '\'') && !has_long_texts) {
      at = end_of_text(text, at);
    } else {
      ++at;
    }
  }
  return {};
}

}  // namespace vyre::store
