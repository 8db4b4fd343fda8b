// Splits `.vy` text into words, numbers, strings and signs, each with its place.
#pragma once

#include <cstdint>
#include <string_view>

#include "vyre/base/error.h"

namespace vyre::ir {

enum class TokenKind : std::uint8_t { word, integer, real, string, sign, bad, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  // a string without its quotes; a number with its suffix
  Place place = {};
  bool starts_line = false;  // the first token on its line
};

// A cursor over the text. After the end it returns `end` for ever.
class Lexer {
 public:
  explicit Lexer(std::string_view text);
  Token next();

 private:
  void skip_space();
  [[nodiscard]] char peek(std::size_t ahead = 0) const;
  [[nodiscard]] Token token(TokenKind kind, std::size_t length);
  Token number();
  Token string();
  Token sign();

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
  std::uint32_t last_line_ = 0;
};

[[nodiscard]] bool is_letter(char c);
[[nodiscard]] bool is_digit(char c);

}  // namespace vyre::ir
