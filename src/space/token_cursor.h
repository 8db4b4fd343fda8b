// A cursor over the tokens of an expression, with the first mistake that was found. After a mistake
// it stands at the end, so that whoever reads on comes to an end too.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "space/lexer.h"

namespace vyre::space {

class TokenCursor {
 public:
  explicit TokenCursor(std::string_view text) : lexer_(text) { advance(); }

  [[nodiscard]] const Token& token() const { return token_; }
  [[nodiscard]] Place place() const { return token_.place; }
  [[nodiscard]] bool at_end() const { return token_.kind == TokenKind::end; }
  [[nodiscard]] bool sees(std::string_view text) const;
  // The names that the comprehension binds which starts here, up to the closing bracket; none if it
  // is a plain list of items.
  [[nodiscard]] std::vector<std::string_view> names_bound() const;

  void advance() { token_ = lexer_.next(); }
  // Steps over a name or sign if it is there.
  bool accept(std::string_view text);
  void expect(std::string_view text);

  // The first of all is kept.
  void problem(std::string message, Place place);
  void unexpected(std::string_view wanted);
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  Lexer lexer_;
  Token token_;
  std::optional<Error> error_;
};

}  // namespace vyre::space
