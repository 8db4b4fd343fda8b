#include "ir/definitions.h"

#include "ir/rewrite.h"
#include "ir/visit.h"

namespace vyre::ir {
namespace {

// Names that are used twice in each of many lets grow fast; such are of no use to anyone.
constexpr std::uint32_t max_defined_depth = 12;

}  // namespace

Definitions::Definitions(const Block& body) : variables_(mutable_names(body)) {
  for_each_stmt(body, [&](const Stmt& stmt) {
    if (const auto* let = as<Let>(stmt)) define(*let);
  });
}

void Definitions::define(const Let& let) {
  if (let.is_mutable || has_load(let.value)) return;
  Expr value = expanded(let.value);
  if (depends_on_variables(value) || value.depth() > max_defined_depth) return;
  values_.emplace(let.name, std::move(value));
}

Expr Definitions::expanded(const Expr& expr) const {
  return replaced(expr, [&](const Expr& e) -> std::optional<Expr> {
    const auto* var = as<Var>(e);
    const auto found = var == nullptr ? values_.end() : values_.find(var->name);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  });
}

}  // namespace vyre::ir
