// Integer expressions as polynomials, modulo 2^32: sums of products of names and ids, in a form in
// which equal ones are equal.
//
//   (y - 1) * w + x   =   w y - w + x
//
// Exact, because u32 and i32 wrap, and are the same modulo 2^32.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vyre/ir/program.h"

namespace vyre::ir {

// The names of its factors, sorted; of an id its text, "invocation.x". Empty: 1.
using Monomial = std::vector<std::string>;
using Polynomial = std::map<Monomial, std::uint32_t>;  // none with a factor of zero

// What a name stands for, if it is to be looked through.
using Definition = std::function<std::optional<Expr>(const std::string& name)>;

// Nothing where there is more in it than sums, differences and products of u32 and i32 literals,
// names and ids, and conversions between these two, and where it would be long.
[[nodiscard]] std::optional<Polynomial> polynomial_of(const Expr& expr, const Definition& define);
// Looks through no names.
[[nodiscard]] std::optional<Polynomial> polynomial_of(const Expr& expr);

// sum += factor * monomial * more
void add_product(Polynomial& sum, const Polynomial& more, const Monomial& monomial,
                 std::uint32_t factor);

// Whether all factors are uniforms of u32.
[[nodiscard]] bool are_uniforms(const Program& program, const Monomial& monomial);
// As u32. Requires: its factors are uniforms of u32.
[[nodiscard]] Expr expression_of(const Polynomial& polynomial);

// What is left of a monomial without these factors, if it has them all.
[[nodiscard]] std::optional<Monomial> without(const Monomial& monomial, const Monomial& factors);

}  // namespace vyre::ir
