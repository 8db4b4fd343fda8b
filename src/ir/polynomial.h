// Integer expressions as polynomials, modulo 2^32: sums of products of names and ids, in a form in
// which equal ones are equal.
//
//   (y - 1) * w + x   =   w y - w + x
//
// Exact, because u32 wraps.
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

// Nothing where there is more in it than sums, differences and products of u32 literals, names and
// ids, and where it would be long.
[[nodiscard]] std::optional<Polynomial> polynomial_of(const Expr& expr, const Definition& define);

// sum += factor * monomial * more
void add_product(Polynomial& sum, const Polynomial& more, const Monomial& monomial,
                 std::uint32_t factor);

// What is left of a monomial without these factors, if it has them all.
[[nodiscard]] std::optional<Monomial> without(const Monomial& monomial, const Monomial& factors);

}  // namespace vyre::ir
