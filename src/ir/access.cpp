#include "ir/access.h"

#include "ir/rewrite.h"
#include "ir/visit.h"

namespace vyre::ir {
namespace {

// Names bound by let outside loops and branches, so that `let i = invocation.x` is seen through.
using Bindings = std::map<std::string, Expr>;

void collect_bindings(const Block& block, Bindings& into) {
  for (const Stmt& stmt : block) {
    match(
        stmt,
        [&](const Let& let) {
          if (!let.is_mutable) into.emplace(let.name, let.value);
        },
        [&](const Region& region) { collect_bindings(region.body, into); },
        [](const OneOf<Assign, Store, AtomicAdd, If, For, While, Break, Barrier> auto&) {});
  }
}

// Not `replaced`: a sum must not be regrouped here.
Expr resolved(const Expr& expr, const Bindings& bindings) {
  if (const auto* var = as<Var>(expr)) {
    const auto found = bindings.find(var->name);
    if (found != bindings.end()) return resolved(found->second, bindings);
  }
  return with_operands(expr, [&](const Expr& e) { return resolved(e, bindings); });
}

bool is_own_place(const Expr& index, const Program& program) {
  const Expr x = Id{IdKind::invocation, 0};
  const bool flat_z = program.grid[2] == literal(1U);
  const bool flat_y = program.grid[1] == literal(1U);
  if (flat_y && flat_z && index == x) return true;
  const auto* sum = as<Binary>(index);
  if (!flat_z || sum == nullptr || sum->op != BinaryOp::add || sum->right != x) return false;
  const auto* row = as<Binary>(sum->left);
  return row != nullptr && row->op == BinaryOp::mul &&
         row->left == Expr(Id{IdKind::invocation, 1}) &&
         (row->right == program.grid[0] || row->right == Expr(Id{IdKind::grid, 0}));
}

}  // namespace

std::map<std::string, BufferUse> buffer_uses(const Program& program) {
  Bindings bindings;
  collect_bindings(program.body, bindings);
  std::map<std::string, BufferUse> uses;
  const auto access = [&](const std::string& buffer, const Expr& index, std::uint8_t lanes,
                          bool writes) {
    BufferUse& use = uses[buffer];
    use.writes |= writes;
    use.own_place &= lanes == 1 && is_own_place(resolved(index, bindings), program);
  };
  for_each_expr(program.body, [&](const Expr& e) {
    if (const auto* load = as<Load>(e)) access(load->buffer, load->index, load->lanes, false);
  });
  for_each_stmt(program.body, [&](const Stmt& stmt) {
    match(
        stmt,
        [&](const OneOf<Store, AtomicAdd> auto& s) {
          access(s.buffer, s.index, s.value.type().lanes, true);
        },
        [](const OneOf<Let, Assign, If, For, While, Break, Barrier, Region> auto&) {});
  });
  return uses;
}

}  // namespace vyre::ir
