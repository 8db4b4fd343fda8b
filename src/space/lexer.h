// Splits the text of an expression into names, numbers, strings and signs, each with its place.
#pragma once

#include <cstdint>
#include <string_view>

#include "vyre/base/error.h"

namespace vyre::space {

enum class TokenKind : std::uint8_t { name, integer, real, string, sign, bad, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  // a string with its quotes
  Place place = {};
};

// A cursor over the text; behind its end it gives `end` for ever.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();

 private:
  void skip_space();
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  Token token(TokenKind kind, std::size_t length);
  Token number();
  Token string();
  Token sign();

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
};

}  // namespace vyre::space
