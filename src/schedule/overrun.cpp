#include "schedule/overrun.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/visit.h"
#include "schedule/masks.h"

namespace vyre::schedule {
namespace {

using ir::Expr;

// Walks a body in which a mask, all false, stands for the end of the loop.
class Overrun {
 public:
  explicit Overrun(const Lanes& lanes) : lanes_(lanes) {}

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
        [&](const ir::If& s) {
          return (is_off(s) && !has_break(stmt)) || is_load_of_neighbours(s) || branch(s);
        },
        [&](const ir::While& s) { return inside([&] { return loop(s, false); }); },
        [&](const ir::Region& s) { return block(s.body); },
        [](const ir::OneOf<ir::Store, ir::AtomicAdd, ir::For, ir::Break, ir::Barrier> auto&) {
          return false;
        });
  }

  // Where some who are still in the loop need not come.
  template <class Walk>
  bool inside(const Walk& walk) {
    ++depth_;
    const bool may = walk();
    --depth_;
    return may;
  }

  bool branch(const ir::If& s) {
    return !has_load(s.cond) && inside([&] { return block(s.then) && block(s.otherwise); });
  }

  // What is done where any lane is on, is not where none is.
  [[nodiscard]] bool is_off(const ir::If& s) const {
    const auto* any = ir::as<ir::Reduce>(s.cond);
    return any != nullptr && any->op == ir::BinaryOp::bit_or && is_mask(any->vector) &&
           s.otherwise.empty();
  }

  bool let(const ir::Let& s) {
    own_.insert(s.name);
    if (is_part(s.value)) masks_.insert(s.name);
    if (!s.is_mutable) lets_.insert_or_assign(s.name, s.value);
    return may_load(s.value);
  }

  bool assign(const ir::Assign& s) {
    if (!may_load(s.value)) return false;
    if (masks_.contains(s.name)) return is_part(s.value);
    if (lanes_.is_counter(s.name)) return true;
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

  [[nodiscard]] bool may_load(const Expr& expr) const {
    return !any_expr(expr, [&](const Expr& e) {
      const auto* load = ir::as<ir::Load>(e);
      return load != nullptr && !is_there(*load);
    });
  }

  // Who is still in the loop loads this too, or something else of the buffer, which is not empty.
  [[nodiscard]] bool is_there(const ir::Load& load) const {
    if (depth_ > 0 || !lanes_.is_constant(load.buffer)) return false;
    return !lanes_.varying().varies(load.index) || is_cut_off(load);
  }

  [[nodiscard]] bool is_cut_off(const ir::Load& load) const {
    const auto* lane = ir::as<ir::Lane>(load.index);
    const auto* at = lane == nullptr ? nullptr : ir::as<ir::Var>(lane->vector);
    const auto found = at == nullptr ? lets_.end() : lets_.find(at->name);
    if (found == lets_.end() || load.lanes > 1) return false;
    const auto* least = ir::as<ir::Binary>(found->second);
    const auto* last = least == nullptr ? nullptr : ir::as<ir::Splat>(least->right);
    return last != nullptr && least->op == ir::BinaryOp::min &&
           last->arg == minus(*lanes_.constant_count(load.buffer), ir::literal(1U));
  }

  // As masks make it: a vector where all of it is in the buffer, else places that are cut off.
  bool is_load_of_neighbours(const ir::If& s) {
    const auto* whole = s.then.size() == 1 ? ir::as<ir::Assign>(s.then.front()) : nullptr;
    const auto* load = whole == nullptr ? nullptr : ir::as<ir::Load>(whole->value);
    if (load == nullptr || depth_ > 0 || !lanes_.is_constant(load->buffer)) return false;
    const Expr& count = *lanes_.constant_count(load->buffer);
    return own_.contains(whole->name) && !has_load(load->index) &&
           s.cond == are_among(load->index, count, load->lanes) && block(s.otherwise) &&
           loads_only(load->buffer, s.otherwise);
  }

  // From this buffer, which those who are in the other branch load from too.
  [[nodiscard]] bool loads_only(const std::string& buffer, const ir::Block& body) const {
    return !any_expr(body, [&](const Expr& e) {
      const auto* load = ir::as<ir::Load>(e);
      return load != nullptr && (load->buffer != buffer || !is_cut_off(*load));
    });
  }

  const Lanes& lanes_;
  ir::NameSet masks_;
  ir::NameSet own_;  // declared in the loop
  std::unordered_map<std::string, Expr> lets_;
  int depth_ = 0;  // of what not all who are in the loop come to
};

}  // namespace

bool may_overrun(const ir::While& loop, const Lanes& lanes) {
  return Overrun(lanes).loop(loop, true);
}

}  // namespace vyre::schedule
