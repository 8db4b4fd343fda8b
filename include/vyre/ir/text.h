// The text form `.vy`: parse(print(p)) == p for every valid program. Grammar: docs/text-format.md.
#pragma once

#include <string>
#include <string_view>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

// Bounds on what is accepted, so that hostile text is refused instead of filling memory or stack.
inline constexpr std::size_t max_text_bytes = 16U << 20U;
inline constexpr std::uint32_t max_nesting = 200;  // of blocks, and of an expression's tree
inline constexpr std::size_t max_problems = 100;   // reported at once
inline constexpr std::size_t max_declared = 4096;  // buffers and uniforms together

// The program, valid (see ir/validate.h); or every problem found, in the order of the text.
[[nodiscard]] Result<Program> parse(std::string_view text);

[[nodiscard]] std::string print(const Program& program);
[[nodiscard]] std::string print(const Expr& expr);
// One line, without the blocks inside: "for k in 0 .. n { ... }".
[[nodiscard]] std::string print_head(const Stmt& stmt);

}  // namespace vyre::ir
