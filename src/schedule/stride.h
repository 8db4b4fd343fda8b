// How much an integer expression grows from one invocation to the next in one dimension.
//
// stride(e) = s means: where invocation.d is larger by l, e is larger by l * s, wrapping, as long
// as all else is the same. Sums, differences and products with uniform factors keep that, because
// wrapping arithmetic is a ring; what is not one of these has no stride.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "schedule/varying.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

class Strides {
 public:
  // Requires: unique names.
  Strides(const ir::Block& body, const Varying& varying);

  // Of u32 and i32 scalars; the stride has the expression's type and names nothing that can be
  // assigned. Zero for what is uniform.
  [[nodiscard]] std::optional<ir::Expr> of(const ir::Expr& expr) const;
  // The stride is a literal with this value.
  [[nodiscard]] bool is(const ir::Expr& expr, std::uint32_t stride) const;
  // Of a let that is not a var and is seen from here on.
  [[nodiscard]] std::optional<ir::Expr> of_name(const std::string& name) const;

 private:
  [[nodiscard]] std::optional<ir::Expr> of_binary(const ir::Binary& node) const;
  [[nodiscard]] std::optional<ir::Expr> scaled(const ir::Expr& of, const ir::Expr& by) const;
  [[nodiscard]] bool is_fixed(const ir::Expr& expr) const;

  const Varying& varying_;
  std::unordered_set<std::string> mutable_;
  std::unordered_map<std::string, ir::Expr> lets_;
};

}  // namespace vyre::schedule
