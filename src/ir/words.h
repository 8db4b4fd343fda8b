// The words and signs of the text form, once for parser, printer and validation.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "vyre/ir/expr.h"

namespace vyre::ir {

// Whether a name can be declared: an identifier of at most 64 characters, not a word of the
// language.
[[nodiscard]] bool is_name(std::string_view text);
[[nodiscard]] bool is_reserved(std::string_view word);

struct BinarySign {
  BinaryOp op;
  std::string_view text;
  int precedence;  // higher binds tighter; 0 for min, max and pow, which are functions
};
[[nodiscard]] const BinarySign& sign_of(BinaryOp op);
[[nodiscard]] std::optional<BinarySign> binary_sign(std::string_view text);

// add for "+=" and so on; nothing for other signs.
[[nodiscard]] std::optional<BinaryOp> compound_sign(std::string_view text);

inline constexpr int comparison_precedence = 4;
inline constexpr int unary_precedence = 8;
inline constexpr int primary_precedence = 9;

[[nodiscard]] std::string_view word_of(IdKind kind);
[[nodiscard]] std::optional<IdKind> id_named(std::string_view word);

// abs, sqrt, exp, ...; the other unary operations are signs. Those behind log are no words of the
// language: they can be names too, and are functions where a bracket follows.
[[nodiscard]] std::string_view word_of(UnaryOp op);
[[nodiscard]] std::optional<UnaryOp> unary_function(std::string_view word);

// min, max, pow.
[[nodiscard]] std::optional<BinaryOp> binary_function(std::string_view word);

// sum, min and max of the lanes of a vector.
[[nodiscard]] std::string_view reduction_word(BinaryOp op);
[[nodiscard]] std::optional<BinaryOp> reduction_named(std::string_view word);

// "a u32", "an f32".
[[nodiscard]] std::string with_article(Scalar scalar);

inline constexpr std::array<std::string_view, 3> dimension_names = {"x", "y", "z"};

}  // namespace vyre::ir
