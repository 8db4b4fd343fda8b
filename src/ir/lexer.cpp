#include "ir/lexer.h"

#include <algorithm>
#include <array>

namespace vyre::ir {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
// The last five have no meaning; as one sign they are refused as what they were meant to be.
constexpr std::array<std::string_view, 20> two_char_signs = {
    "..", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "&&", "||", "++", "**", "/*"};
constexpr std::array<std::string_view, 2> three_char_signs = {"<<=", ">>="};
constexpr std::string_view one_char_signs = "{}[]():,.=<>+-*/%&|^!~";

}  // namespace

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Editors on some systems put a mark before the text.
Lexer::Lexer(std::string_view text) : text_(text) {
  if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
}

char Lexer::peek(std::size_t ahead) const {
  return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
}

void Lexer::skip_space() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      ++at_;
      ++line_;
      line_start_ = at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      return;
    }
  }
}

Token Lexer::token(TokenKind kind, std::size_t length) {
  const Token made{.kind = kind,
                   .text = text_.substr(at_, length),
                   .place = {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)},
                   .starts_line = line_ != last_line_};
  at_ += length;
  last_line_ = line_;
  return made;
}

Token Lexer::next() {
  skip_space();
  if (at_ >= text_.size()) return token(TokenKind::end, 0);
  const char c = peek();
  if (is_letter(c)) {
    std::size_t length = 1;
    while (is_letter(peek(length)) || is_digit(peek(length))) ++length;
    return token(TokenKind::word, length);
  }
  if (is_digit(c)) return number();
  if (c == '"') return string();
  return sign();
}

// Digits, a fraction where a digit follows the point (so that `0 .. n` and `v.0` are not eaten), an
// exponent, and whatever letters follow as the suffix.
Token Lexer::number() {
  std::size_t length = 1;
  TokenKind kind = TokenKind::integer;
  const bool hexadecimal = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
  if (!hexadecimal) {
    while (is_digit(peek(length))) ++length;
    if (peek(length) == '.' && is_digit(peek(length + 1))) {
      kind = TokenKind::real;
      ++length;
      while (is_digit(peek(length))) ++length;
    }
    if (peek(length) == 'e' || peek(length) == 'E') {
      kind = TokenKind::real;
      ++length;
      if (peek(length) == '+' || peek(length) == '-') ++length;
    }
  }
  while (is_letter(peek(length)) || is_digit(peek(length))) ++length;
  return token(kind, length);
}

Token Lexer::string() {
  std::size_t length = 1;
  while (at_ + length < text_.size() && peek(length) != '"' && peek(length) != '\n') ++length;
  if (peek(length) != '"') return token(TokenKind::bad, length);
  Token whole = token(TokenKind::string, length + 1);
  whole.text = whole.text.substr(1, whole.text.size() - 2);
  return whole;
}

Token Lexer::sign() {
  const std::string_view three = text_.substr(at_, 3);
  if (std::ranges::find(three_char_signs, three) != three_char_signs.end()) {
    return token(TokenKind::sign, 3);
  }
  const std::string_view two = text_.substr(at_, 2);
  if (std::ranges::find(two_char_signs, two) != two_char_signs.end()) {
    return token(TokenKind::sign, 2);
  }
  const bool known = one_char_signs.find(peek()) != std::string_view::npos;
  return token(known ? TokenKind::sign : TokenKind::bad, 1);
}

}  // namespace vyre::ir
