#include "schedule/joined_stores.h"

#include <algorithm>
#include <vector>

#include "ir/fold.h"
#include "ir/rewrite.h"
#include "ir/visit.h"
#include "schedule/loops.h"

namespace vyre::schedule {
namespace {

using ir::Block;
using ir::Expr;
using ir::Stmt;
using ir::Store;

bool only_computes(const Block& block) {
  return !any_expr(block, [](const Expr& e) { return ir::is<ir::Load>(e); }) &&
         !any_stmt(block, [](const Stmt& stmt) {
           return ir::is<Store>(stmt) || ir::is<ir::AtomicAdd>(stmt) || ir::is<ir::For>(stmt) ||
                  ir::is<ir::Barrier>(stmt);
         });
}

class StoreJoiner {
 public:
  StoreJoiner(const Block& body, std::span<const ir::Buffer> constants, ir::Names& names)
      : variables_(mutable_names(body)), constants_(constants), names_(names) {}

  Block block(const Block& body) {
    Block made;
    for (const Stmt& stmt : body) {
      const auto* loop = ir::as<ir::For>(stmt);
      if (loop != nullptr) loops_.push_back(loop);
      Stmt inside = with_blocks(stmt, [&](const Block& inner) { return block(inner); });
      if (loop != nullptr) loops_.pop_back();
      statement(std::move(inside), made);
    }
    return made;
  }

 private:
  void statement(Stmt stmt, Block& into) {
    auto* branch = ir::as<ir::If>(stmt);
    if (branch == nullptr) return into.push_back(std::move(stmt));
    name_loads(*branch, into);
    ir::If joined = *branch;
    Block values;
    Block stores;
    while (join(joined, values, stores)) {
    }
    if (!only_computes(joined.then) || !only_computes(joined.otherwise)) {
      return into.push_back(std::move(stmt));
    }
    into.insert(into.end(), values.begin(), values.end());
    into.push_back({std::move(joined), stmt.place});
    into.insert(into.end(), stores.rbegin(), stores.rend());
  }

  [[nodiscard]] const ir::Buffer* constant(const std::string& buffer) const {
    const auto found = std::ranges::find(constants_, buffer, &ir::Buffer::name);
    return found == constants_.end() ? nullptr : &*found;
  }

  // Of a loop around that goes to the buffer's end.
  [[nodiscard]] bool is_found(const ir::Load& load) const {
    const auto* at = ir::as<ir::Var>(load.index);
    return load.lanes == 1 && at != nullptr && at->type == ir::Type{Scalar::u32} &&
           std::ranges::any_of(loops_, [&](const ir::For* loop) {
             return loop->name == at->name && loop->end == constant(load.buffer)->count;
           });
  }

  // What is loaded once, before the branches.
  void name_loads(ir::If& branch, Block& into) {
    std::vector<Expr> loads;
    const auto note = [&](const Expr& e, bool is_evaluated) {
      const auto* load = ir::as<ir::Load>(e);
      if (load == nullptr || constant(load->buffer) == nullptr) return;
      const bool stays = !mentions(load->index, variables_) && !has_load(load->index);
      const bool is_new = std::ranges::find(loads, e) == loads.end();
      if (is_new && stays && (is_evaluated || is_found(*load))) loads.push_back(e);
    };
    for_each_expr(branch.cond, [&](const Expr& e) { note(e, true); });
    for (const Block* taken : {&branch.then, &branch.otherwise}) {
      for_each_expr(*taken, [&](const Expr& e) { note(e, false); });
    }
    for (const Expr& load : loads) {
      const auto is_it = [&](const Expr& e) { return e == load; };
      if (!any_expr(branch.then, is_it) && !any_expr(branch.otherwise, is_it)) continue;
      const Expr name = named(load, ir::as<ir::Load>(load)->buffer, names_, into);
      const auto replace = [&](const Expr& e) {
        return e == load ? std::optional(name) : std::nullopt;
      };
      branch.cond = replaced(branch.cond, replace);
      branch.then = replaced(branch.then, replace);
      branch.otherwise = replaced(branch.otherwise, replace);
    }
  }

  // The last store of both that is not joined yet, after them.
  bool join(ir::If& branch, Block& into, Block& stores) {
    const std::size_t joined = stores.size();
    if (branch.then.size() <= joined || branch.otherwise.size() <= joined) return false;
    const auto then = branch.then.end() - static_cast<std::ptrdiff_t>(joined) - 1;
    const auto otherwise = branch.otherwise.end() - static_cast<std::ptrdiff_t>(joined) - 1;
    const auto* one = ir::as<Store>(*then);
    const auto* other = ir::as<Store>(*otherwise);
    if (one == nullptr || other == nullptr || !is_same_place(branch, *one, *other)) return false;
    const ir::Type type = one->value.type();
    const ir::Var value = {names_.fresh("value"), type};
    into.push_back({ir::Let{value.name, ir::zero(type.scalar), true}});
    stores.push_back({Store{one->buffer, one->index, value}});
    *then = {ir::Assign{value.name, Expr(one->value)}};
    *otherwise = {ir::Assign{value.name, Expr(other->value)}};
    return true;
  }

  [[nodiscard]] bool is_same_place(const ir::If& branch, const Store& one,
                                   const Store& other) const {
    if (one.buffer != other.buffer || one.index != other.index) return false;
    if (one.value.type() != other.value.type() || one.value.type().lanes != 1) return false;
    return !has_load(one.index) && !mentions(one.index, variables_) &&
           !mentions(one.index, declared_names(branch.then)) &&
           !mentions(one.index, declared_names(branch.otherwise));
  }

  ir::NameSet variables_;
  std::span<const ir::Buffer> constants_;
  ir::Names& names_;
  std::vector<const ir::For*> loops_;
};

}  // namespace

Block with_joined_stores(const Block& body, std::span<const ir::Buffer> constants,
                         ir::Names& names) {
  return StoreJoiner(body, constants, names).block(body);
}

}  // namespace vyre::schedule
