#include "ir/grouping.h"

#include <algorithm>

#include "ir/visit.h"

namespace vyre::ir {

bool has_barrier(const Block& block) {
  return any_stmt(block, [](const Stmt& stmt) { return is<Barrier>(stmt); });
}

bool is_group_id(const Expr& expr) {
  const auto* id = as<Id>(expr);
  return id != nullptr && id->kind != IdKind::invocation && id->kind != IdKind::grid;
}

bool depends_on_workgroup(const Program& program) {
  return std::ranges::find(program.buffers, Memory::shared, &Buffer::memory) !=
             program.buffers.end() ||
         any_body(program, has_barrier) || any_expr(program, is_group_id);
}

bool is_same_for_group(const Expr& expr, const NameSet& names) {
  return !any_expr(expr, [&](const Expr& e) {
    return match(
        e, [&](const Var& n) { return !names.contains(n.name); },
        [](const Id& n) { return n.kind == IdKind::invocation || n.kind == IdKind::local; },
        [](const Load&) { return true; },
        [](const OneOf<Literal, Unary, Binary, Fma, Select, Convert, Bitcast, Splat, Vector, Lane,
                       Reduce> auto&) { return false; });
  });
}

NameSet names_of_group(const Program& program) {
  NameSet names;
  for (const Uniform& uniform : program.uniforms) names.insert(uniform.name);
  for_each_stmt(program.body, [&](const Stmt& stmt) {
    const auto* let = as<Let>(stmt);
    const auto* loop = as<For>(stmt);
    const bool is_same = let != nullptr
                             ? !let->is_mutable && is_same_for_group(let->value, names)
                             : loop != nullptr && is_same_for_group(loop->begin, names) &&
                                   is_same_for_group(loop->step, names);
    if (is_same) names.insert(*declared_name(stmt));
  });
  return names;
}

}  // namespace vyre::ir
