// Sizes: how many elements a buffer has and how many invocations a dispatch runs.
//
// A size expression is made of u32 literals, u32 uniforms, workgroup.x/y/z and + - * / % min max.
// Unlike in a program's body its arithmetic does not wrap: a size that leaves u32 is an error.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

// Values given to uniforms at launch, by name; those not named keep their default.
using Uniforms = std::map<std::string, Literal, std::less<>>;

// Why this expression is not a size expression, or empty if it is one.
[[nodiscard]] std::string why_not_size(const Expr& expr);

// The value of a size expression of this program.
[[nodiscard]] Result<std::uint32_t> evaluate_size(const Program& program, const Expr& size,
                                                  const Uniforms& uniforms = {});

// The value a uniform has at launch. Requires: the program declares it.
[[nodiscard]] Literal uniform_value(const Program& program, std::string_view name,
                                    const Uniforms& uniforms);

// Refuses names that the program does not declare and values of another type.
[[nodiscard]] Result<void> check_uniforms(const Program& program, const Uniforms& uniforms);

// Elements that all private buffers of an invocation have together, at most: they are meant for
// registers, and many invocations run at a time.
inline constexpr std::uint64_t max_private_elements = 4096;

// The elements of all private buffers together.
[[nodiscard]] Result<std::uint64_t> private_elements(const Program& program,
                                                     const Uniforms& uniforms = {});
// Refuses more of them than max_private_elements.
[[nodiscard]] Result<void> check_private(const Program& program, const Uniforms& uniforms);

// Refuses an empty grid, and a ragged one where the program has barriers.
[[nodiscard]] Result<Shape> launch_shape(const Program& program, const Uniforms& uniforms = {});

}  // namespace vyre::ir
