// The text of literals: how a number is written, and how it is read back to the same bits.
//
// 7 is u32, -7i is i32, 0.5 is f32, 0.5d is f64; what is printed has the fewest digits that give
// the same bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/lexer.h"
#include "vyre/base/expected.h"
#include "vyre/base/launch.h"

namespace vyre::ir {

[[nodiscard]] std::string literal_text(const Literal& literal);

// The literal of an integer or real token, `negative` if a minus stands before it; or why it is
// none, to be said after its text.
[[nodiscard]] Expected<Literal, std::string_view> read_number(const Token& token, bool negative);
// Decimal or 0x, without a suffix.
[[nodiscard]] std::optional<std::uint64_t> read_integer(std::string_view digits);

}  // namespace vyre::ir
