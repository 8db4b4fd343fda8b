// A piece of emitted text that knows how tightly it binds, so that parentheses appear where they
// are needed and nowhere else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace vyre::emit {

// C's levels, loosest first.
enum class Precedence : std::uint8_t {
  assignment,
  ternary,
  bit_or,
  bit_xor,
  bit_and,
  equality,
  comparison,
  shift,
  additive,
  multiplicative,
  unary,
  primary,
};

struct Code {
  std::string text;
  Precedence precedence = Precedence::primary;

  // The text, in parentheses if it binds more loosely than asked.
  [[nodiscard]] std::string at(Precedence least) const {
    return precedence < least ? "(" + text + ")" : text;
  }
};

// "name(a, b)"
template <class... Arguments>
Code call(std::string_view name, const Arguments&... arguments) {
  std::string list;
  ((list += (list.empty() ? "" : ", ") + arguments.text), ...);
  return {std::string(name) + "(" + list + ")"};
}

// How many brackets are open at once in the text, at most.
[[nodiscard]] inline std::uint32_t bracket_depth(std::string_view text) {
  std::uint32_t open = 0;
  std::uint32_t deepest = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') deepest = std::max(deepest, ++open);
    if (c == ')' || c == ']' || c == '}') --open;
  }
  return deepest;
}

}  // namespace vyre::emit
