#include "space/token_cursor.h"

#include <fmt/format.h>

namespace vyre::space {

bool TokenCursor::sees(std::string_view text) const {
  return (token_.kind == TokenKind::name || token_.kind == TokenKind::sign) && token_.text == text;
}

bool TokenCursor::accept(std::string_view text) {
  if (error_ || !sees(text)) return false;
  advance();
  return true;
}

void TokenCursor::expect(std::string_view text) {
  if (!accept(text)) unexpected(fmt::format("'{}'", text));
}

void TokenCursor::problem(std::string message, Place place) {
  if (!error_) error_ = Error{.message = std::move(message), .place = place};
  token_ = {};
}

void TokenCursor::unexpected(std::string_view wanted) {
  if (error_) return;
  const std::string found = at_end() ? "the end" : fmt::format("'{}'", token_.text);
  problem(fmt::format("expected {}, found {}", wanted, found), token_.place);
}

std::vector<std::string_view> TokenCursor::names_bound() const {
  Lexer lexer = lexer_;
  Token token = token_;
  std::vector<std::string_view> found;
  int depth = 0;
  for (; token.kind != TokenKind::end && token.kind != TokenKind::bad; token = lexer.next()) {
    if (token.kind == TokenKind::sign) {
      if (token.text == "(" || token.text == "[") ++depth;
      if ((token.text == ")" || token.text == "]") && --depth < 0) break;
    } else if (depth == 0 && token.kind == TokenKind::name && token.text == "for") {
      token = lexer.next();
      found.push_back(token.text);
    }
  }
  return found;
}

}  // namespace vyre::space
