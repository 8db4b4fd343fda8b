#include "device/program_texts.h"

#include <algorithm>

#include "ir/lexer.h"

namespace vyre::device {

std::vector<ProgramText> program_texts(std::string_view source) {
  std::vector<ProgramText> pieces;
  std::size_t depth = 0;
  std::size_t begin = 0;
  std::uint32_t line = 1;
  const auto cut = [&](std::size_t end) {
    const std::string_view piece = source.substr(begin, end - begin);
    pieces.push_back({piece, line});
    line += static_cast<std::uint32_t>(std::ranges::count(piece, '\n'));
    begin = end;
  };
  ir::Lexer lexer(source);
  bool open = false;  // a piece has begun
  for (auto token = lexer.next(); token.kind != ir::TokenKind::end; token = lexer.next()) {
    open = true;
    if (token.kind != ir::TokenKind::sign) continue;
    if (token.text == "{") ++depth;
    if (token.text == "}" && depth > 0 && --depth == 0) {
      cut(static_cast<std::size_t>(token.text.data() - source.data()) + 1);
      open = false;
    }
  }
  if (open) cut(source.size());
  return pieces;
}

}  // namespace vyre::device
