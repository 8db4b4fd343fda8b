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
         has_barrier(program.body) || any_expr(program, is_group_id);
}

}  // namespace vyre::ir
