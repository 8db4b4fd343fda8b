#include "ir/words.h"

#include <algorithm>

#include "ir/lexer.h"

namespace vyre::ir {
namespace {

constexpr std::array<std::string_view, 50> reserved = {
    "program", "uniform", "buffer", "shared", "grid", "workgroup", "read", "write", "read_write",
    "let", "var", "atomic", "if", "else", "for", "in", "step", "barrier", "region", "invocation",
    "local", "group", "groups", "abs", "sqrt", "exp", "log", "min", "max", "fma", "select", "bool",
    "u32", "i32", "f32", "f64", "as_u32", "as_i32", "as_f32", "splat2", "splat4", "splat8",
    "splat16", "true", "false",
    // Kept for later versions of the text form.
    "while", "return", "break", "continue", "const"};

// Indexed by BinaryOp.
constexpr std::array<BinarySign, 18> binary_signs = {{
    {BinaryOp::add, "+", 6},
    {BinaryOp::sub, "-", 6},
    {BinaryOp::mul, "*", 7},
    {BinaryOp::div, "/", 7},
    {BinaryOp::rem, "%", 7},
    {BinaryOp::min, "min", 0},
    {BinaryOp::max, "max", 0},
    {BinaryOp::bit_and, "&", 3},
    {BinaryOp::bit_or, "|", 1},
    {BinaryOp::bit_xor, "^", 2},
    {BinaryOp::shl, "<<", 5},
    {BinaryOp::shr, ">>", 5},
    {BinaryOp::eq, "==", 4},
    {BinaryOp::ne, "!=", 4},
    {BinaryOp::lt, "<", 4},
    {BinaryOp::le, "<=", 4},
    {BinaryOp::gt, ">", 4},
    {BinaryOp::ge, ">=", 4},
}};

// Indexed by IdKind.
constexpr std::array<std::string_view, 6> id_words = {"invocation", "local",  "group",
                                                      "workgroup",  "groups", "grid"};

// Indexed by UnaryOp.
constexpr std::array<std::string_view, 6> unary_words = {"-", "!", "abs", "sqrt", "exp", "log"};

template <class Enum, std::size_t n>
std::optional<Enum> find_word(const std::array<std::string_view, n>& words, std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

}  // namespace

bool is_reserved(std::string_view word) {
  return std::ranges::find(reserved, word) != reserved.end();
}

bool is_name(std::string_view text) {
  constexpr std::size_t longest = 64;
  return !text.empty() && text.size() <= longest && is_letter(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); }) &&
         !is_reserved(text);
}

const BinarySign& sign_of(BinaryOp op) { return binary_signs[static_cast<std::size_t>(op)]; }

std::optional<BinarySign> binary_sign(std::string_view text) {
  const auto found = std::ranges::find(binary_signs, text, &BinarySign::text);
  if (found == binary_signs.end()) return std::nullopt;
  return *found;
}

std::string_view word_of(IdKind kind) { return id_words[static_cast<std::size_t>(kind)]; }
std::optional<IdKind> id_named(std::string_view word) { return find_word<IdKind>(id_words, word); }

std::string_view word_of(UnaryOp op) { return unary_words[static_cast<std::size_t>(op)]; }
std::optional<UnaryOp> unary_function(std::string_view word) {
  return find_word<UnaryOp>(unary_words, word);
}

}  // namespace vyre::ir
