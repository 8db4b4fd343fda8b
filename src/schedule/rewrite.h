// Replaces parts of expressions and statements.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "vyre/ir/program.h"

namespace vyre::schedule {

// What takes an expression's place; nothing: it stays, with its operands looked at in turn.
using Replace = std::function<std::optional<ir::Expr>(const ir::Expr&)>;

[[nodiscard]] ir::Expr replaced(const ir::Expr& expr, const Replace& replace);
[[nodiscard]] ir::Stmt replaced(const ir::Stmt& stmt, const Replace& replace);
[[nodiscard]] ir::Block replaced(const ir::Block& block, const Replace& replace);

// Every use of one id.
[[nodiscard]] ir::Block with_id(const ir::Block& block, ir::Id id, const ir::Expr& value);

// Every use of one name. Requires: it is declared once, and assigned nowhere in the block.
[[nodiscard]] ir::Block with_var(const ir::Block& block, const std::string& name,
                                 const ir::Expr& value);

// Assignments to these names go to others. Reads are left as they are.
[[nodiscard]] ir::Stmt with_targets(const ir::Stmt& stmt,
                                    const std::unordered_map<std::string, std::string>& targets);

// Whether some expression in it passes the test.
using Test = std::function<bool(const ir::Expr&)>;
[[nodiscard]] bool any_of(const ir::Expr& expr, const Test& test);
[[nodiscard]] bool any_of(const ir::Stmt& stmt, const Test& test);

// Visits every statement, those in blocks too, outer ones first.
void for_each(const ir::Block& block, const std::function<void(const ir::Stmt&)>& visit);

[[nodiscard]] bool has_barrier(const ir::Block& block);

}  // namespace vyre::schedule
