#include "schedule/overrun.h"

#include <algorithm>

#include "ir/names.h"

namespace vyre::schedule {
namespace {

using ir::Expr;

// Walks a body in which a mask, all false, stands for the end of the loop.
class Overrun {
 public:
  bool loop(const ir::While& s, bool outermost) {
    const auto* any = ir::as<ir::Reduce>(s.cond);
    const auto* mask = any == nullptr ? nullptr : ir::as<ir::Var>(any->vector);
    if (mask == nullptr || any->op != ir::BinaryOp::bit_or) return false;
    if (outermost) masks_.insert(mask->name);
    return masks_.contains(mask->name) && block(s.body);
  }

 private:
  bool block(const ir::Block& body) {
    return std::ranges::all_of(body, [&](const ir::Stmt& stmt) { return statement(stmt); });
  }

  bool statement(const ir::Stmt& stmt) {
    return match(
        stmt, [&](const ir::Let& s) { return let(s); },
        [&](const ir::Assign& s) { return assign(s); },
        [&](const ir::If& s) { return !has_load(s.cond) && block(s.then) && block(s.otherwise); },
        [&](const ir::While& s) { return loop(s, false); },
        [&](const ir::Region& s) { return block(s.body); },
        [](const ir::OneOf<ir::Store, ir::AtomicAdd, ir::For, ir::Break, ir::Barrier> auto&) {
          return false;
        });
  }

  bool let(const ir::Let& s) {
    own_.insert(s.name);
    if (is_part(s.value)) masks_.insert(s.name);
    return !has_load(s.value);
  }

  bool assign(const ir::Assign& s) {
    if (has_load(s.value)) return false;
    if (masks_.contains(s.name)) return is_part(s.value);
    return own_.contains(s.name) || keeps(s);
  }

  [[nodiscard]] bool is_mask(const Expr& expr) const {
    const auto* var = ir::as<ir::Var>(expr);
    return var != nullptr && masks_.contains(var->name);
  }
  // Of a mask: all false where that is.
  [[nodiscard]] bool is_part(const Expr& expr) const {
    const auto* both = ir::as<ir::Binary>(expr);
    return both != nullptr && both->op == ir::BinaryOp::bit_and &&
           (is_mask(both->left) || is_mask(both->right));
  }
  [[nodiscard]] bool keeps(const ir::Assign& s) const {
    const auto* choice = ir::as<ir::Select>(s.value);
    const auto* kept = choice == nullptr ? nullptr : ir::as<ir::Var>(choice->no);
    return kept != nullptr && kept->name == s.name && is_mask(choice->cond);
  }

  ir::NameSet masks_;
  ir::NameSet own_;  // declared in the loop
};

}  // namespace

bool may_overrun(const ir::While& loop) { return Overrun().loop(loop, true); }

}  // namespace vyre::schedule
