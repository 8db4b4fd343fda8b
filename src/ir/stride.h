// How much an integer expression grows from one invocation to the next in one dimension, or from
// one iteration of a loop to the next.
//
//   stride(e) = s   means   e(i + l) = e(i) + l * s   modulo 2^32
//
// for the invocations i and i + l of the dimension, all else being the same. Sums, differences and
// products with uniform factors keep that, because wrapping arithmetic is a ring; what is not one
// of these has no stride.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "ir/varying.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

class Strides {
 public:
  // Requires: unique names.
  Strides(const Block& body, const Varying& varying);
  // Along a loop with this body whose variable grows by one.
  Strides(const Block& body, const Varying& varying, const Var& variable);

  // Of u32 and i32 scalars; the stride has the expression's type and names nothing that can be
  // assigned. Zero for what is uniform.
  [[nodiscard]] std::optional<Expr> of(const Expr& expr) const;
  // The stride is a literal with this value.
  [[nodiscard]] bool is(const Expr& expr, std::uint32_t stride) const;
  // Of a let that is not a var and is seen from here on.
  [[nodiscard]] std::optional<Expr> of_name(const std::string& name) const;

 private:
  void learn(const Block& body);
  [[nodiscard]] std::optional<Expr> of_binary(const Binary& node) const;
  [[nodiscard]] std::optional<Expr> of_same_bits(const Expr& arg, Scalar scalar) const;
  [[nodiscard]] std::optional<Expr> scaled(const Expr& of, const Expr& by) const;
  [[nodiscard]] bool is_fixed(const Expr& expr) const;

  const Varying& varying_;
  std::unordered_set<std::string> mutable_;
  std::unordered_map<std::string, Expr> lets_;
};

}  // namespace vyre::ir
