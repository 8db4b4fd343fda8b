#include "space/lexer.h"

#include <algorithm>
#include <array>

namespace vyre::space {
namespace {

constexpr std::array<std::string_view, 6> two_char_signs = {"**", "//", "<=", ">=", "==", "!="};
constexpr std::string_view one_char_signs = "()[],+-*/%<>";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_char(char c) { return is_letter(c) || is_digit(c); }

}  // namespace

void Lexer::skip_space() {
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return;
    }
  }
}

Token Lexer::token(TokenKind kind, std::size_t length) {
  const Token made{.kind = kind,
                   .text = text_.substr(at_, length),
                   .place = {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)}};
  at_ += length;
  return made;
}

Token Lexer::next() {
  skip_space();
  if (at_ >= text_.size()) return token(TokenKind::end, 0);
  const char c = peek();
  if (is_letter(c)) {
    std::size_t length = 1;
    while (is_word_char(peek(length))) ++length;
    return token(TokenKind::name, length);
  }
  if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
  if (c == '"' || c == '\'') return string();
  return sign();
}

// Letters behind a number belong to it, so that `2x` is one bad number and not two tokens.
Token Lexer::number() {
  std::size_t length = 0;
  TokenKind kind = TokenKind::integer;
  const auto digits = [&] {
    while (is_digit(peek(length)) || peek(length) == '_') ++length;
  };
  digits();
  if (peek(length) == '.') {
    kind = TokenKind::real;
    ++length;
    digits();
  }
  const bool hexadecimal = length == 1 && (peek(1) == 'x' || peek(1) == 'X');
  if (!hexadecimal && (peek(length) == 'e' || peek(length) == 'E')) {
    kind = TokenKind::real;
    ++length;
    if (peek(length) == '+' || peek(length) == '-') ++length;
    digits();
  }
  while (is_word_char(peek(length))) ++length;
  return token(kind, length);
}

Token Lexer::string() {
  const char quote = peek();
  std::size_t length = 1;
  while (at_ + length < text_.size() && peek(length) != quote && peek(length) != '\n') {
    length += peek(length) == '\\' ? 2U : 1U;
  }
  if (peek(length) != quote) return token(TokenKind::bad, 1);
  return token(TokenKind::string, length + 1);
}

Token Lexer::sign() {
  const std::string_view two = text_.substr(at_, 2);
  if (std::ranges::find(two_char_signs, two) != two_char_signs.end()) {
    return token(TokenKind::sign, 2);
  }
  const bool known = one_char_signs.find(peek()) != std::string_view::npos;
  return token(known ? TokenKind::sign : TokenKind::bad, 1);
}

}  // namespace vyre::space
