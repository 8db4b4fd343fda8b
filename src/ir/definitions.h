// What names stand for: lets whose value is the same wherever it is evaluated in their scope,
// written out in ids, uniforms, loop variables and what cannot be looked through.
//
//   let row = invocation.y   let at = row * n     at  ->  invocation.y * n
#pragma once

#include <string>
#include <unordered_map>

#include "ir/names.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

class Definitions {
 public:
  // Of all lets of a block. Requires: unique names.
  explicit Definitions(const Block& body);
  // Of those that are named to it; `variables` are the names that can be assigned.
  explicit Definitions(NameSet variables) : variables_(std::move(variables)) {}
  void define(const Let& let);

  // The expression with all such names replaced by what they stand for. Those that would make it
  // long, that load, or that depend on variables stay.
  [[nodiscard]] Expr expanded(const Expr& expr) const;
  [[nodiscard]] bool depends_on_variables(const Expr& expr) const {
    return mentions(expr, variables_);
  }

 private:
  NameSet variables_;
  std::unordered_map<std::string, Expr> values_;
};

}  // namespace vyre::ir
