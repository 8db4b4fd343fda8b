#include "ir/words.h"

#include <algorithm>

#include "ir/lexer.h"

namespace vyre::ir {
namespace {

// Sorted, because every word of a text is looked up here. Functions that came later are not in it,
// so that programs which use their names stay valid. The words return, continue and const have no
// meaning yet: they are kept for later versions.
constexpr std::array<std::string_view, 52> reserved = {
    "abs",        "as_f32",     "as_i32",      "as_u32", "atomic", "barrier", "bool",    "break",
    "buffer",     "const",      "continue",    "else",   "exp",    "f32",     "f64",     "false",
    "fma",        "for",        "grid",        "group",  "groups", "i32",     "if",      "in",
    "invocation", "let",        "local",       "log",    "max",    "min",     "private", "program",
    "read",       "read_write", "reassociate", "region", "return", "select",  "shared",  "splat16",
    "splat2",     "splat4",     "splat8",      "sqrt",   "step",   "true",    "u32",     "uniform",
    "var",        "while",      "workgroup",   "write"};
static_assert(std::ranges::is_sorted(reserved));

// Indexed by BinaryOp.
constexpr std::array<BinarySign, 19> binary_signs = {{
    {BinaryOp::add, "+", 6},    {BinaryOp::sub, "-", 6},     {BinaryOp::mul, "*", 7},
    {BinaryOp::div, "/", 7},    {BinaryOp::rem, "%", 7},     {BinaryOp::min, "min", 0},
    {BinaryOp::max, "max", 0},  {BinaryOp::pow, "pow", 0},   {BinaryOp::bit_and, "&", 3},
    {BinaryOp::bit_or, "|", 1}, {BinaryOp::bit_xor, "^", 2}, {BinaryOp::shl, "<<", 5},
    {BinaryOp::shr, ">>", 5},   {BinaryOp::eq, "==", 4},     {BinaryOp::ne, "!=", 4},
    {BinaryOp::lt, "<", 4},     {BinaryOp::le, "<=", 4},     {BinaryOp::gt, ">", 4},
    {BinaryOp::ge, ">=", 4},
}};

// Indexed by IdKind.
constexpr std::array<std::string_view, 6> id_words = {"invocation", "local",  "group",
                                                      "workgroup",  "groups", "grid"};

// Indexed by UnaryOp.
constexpr std::array<std::string_view, 18> unary_words = {
    "-",    "!",     "abs",  "sqrt", "exp",   "log",  "sin",   "cos",      "tan",
    "tanh", "rsqrt", "exp2", "log2", "floor", "ceil", "round", "popcount", "clz"};

template <class Enum, std::size_t n>
std::optional<Enum> find_word(const std::array<std::string_view, n>& words, std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

}  // namespace

bool is_reserved(std::string_view word) { return std::ranges::binary_search(reserved, word); }

bool is_name(std::string_view text) {
  constexpr std::size_t longest = 64;
  return !text.empty() && text.size() <= longest && is_letter(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); }) &&
         !is_reserved(text);
}

const BinarySign& sign_of(BinaryOp op) { return binary_signs[static_cast<std::size_t>(op)]; }

std::optional<BinarySign> binary_sign(std::string_view text) {
  const auto found = std::ranges::find_if(binary_signs, [&](const BinarySign& sign) {
    return sign.text[0] == text[0] && sign.text == text;
  });
  if (found == binary_signs.end()) return std::nullopt;
  return *found;
}

std::optional<BinaryOp> compound_sign(std::string_view text) {
  if (text.size() < 2 || text.back() != '=') return std::nullopt;
  const auto sign = binary_sign(text.substr(0, text.size() - 1));
  return sign && !is_comparison(sign->op) ? std::optional(sign->op) : std::nullopt;
}

std::string_view word_of(IdKind kind) { return id_words[static_cast<std::size_t>(kind)]; }
std::optional<IdKind> id_named(std::string_view word) { return find_word<IdKind>(id_words, word); }

std::string_view word_of(UnaryOp op) { return unary_words[static_cast<std::size_t>(op)]; }
std::optional<UnaryOp> unary_function(std::string_view word) {
  return find_word<UnaryOp>(unary_words, word);
}

std::optional<BinaryOp> binary_function(std::string_view word) {
  const auto sign = binary_sign(word);
  return sign && sign->precedence == 0 ? std::optional(sign->op) : std::nullopt;
}

std::string_view reduction_word(BinaryOp op) {
  using enum BinaryOp;
  if (op == bit_or) return "any";
  if (op == bit_and) return "all";
  return op == add ? "sum" : sign_of(op).text;
}
std::optional<BinaryOp> reduction_named(std::string_view word) {
  using enum BinaryOp;
  for (const BinaryOp op : {add, min, max, bit_or, bit_and}) {
    if (word == reduction_word(op)) return op;
  }
  return std::nullopt;
}

std::string with_article(Scalar scalar) {
  const std::string_view name = name_of(scalar);
  const bool spoken_as_vowel = name.starts_with('f') || name.starts_with('i');
  return (spoken_as_vowel ? "an " : "a ") + std::string(name);
}

}  // namespace vyre::ir
