#include "schedule/tile_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "schedule/step.h"

namespace vyre::schedule {
namespace {

using ir::Expr;
using ir::For;
using ir::Stmt;

class Planner {
 public:
  Planner(const ir::Program& program, const Extent& workgroup, std::string_view what)
      : program_(program),
        workgroup_(workgroup),
        what_(what),
        private_(ir::private_names(program)) {
    for_each_stmt(program.body, [&](const Stmt& stmt) {
      const auto* let = ir::as<ir::Let>(stmt);
      if (let != nullptr && !let->is_mutable) lets_.emplace(let->name, let->value);
    });
  }

  Result<TilePlan> run() {
    if (std::ranges::none_of(program_.body, [&](const Stmt& s) { return is_counted_loop(s); })) {
      return refuse(what_, "there is no loop `for i in 0 .. n` in the body");
    }
    std::optional<Error> reason;
    for (std::size_t at = 0; at < program_.body.size(); ++at) {
      const Stmt& stmt = program_.body[at];
      if (auto fine = check_statement(stmt); !fine) {
        return Unexpected(reason.value_or(fine.error()));
      }
      if (!is_counted_loop(stmt)) continue;
      const auto* loop = ir::as<For>(stmt);
      TilePlan plan{.at = at, .loads = {}};
      collect(loop->body, loop->name, plan.loads);
      if (!plan.loads.empty()) return plan;
      reason = refuse(what_, stmt, "the invocations of a workgroup load nothing in common").error();
    }
    return Unexpected(*reason);
  }

 private:
  // Whether something is written that others can see.
  [[nodiscard]] bool writes(const Stmt& stmt) const {
    return any_stmt(stmt, [&](const Stmt& s) {
      const auto* store = ir::as<ir::Store>(s);
      return ir::is<ir::AtomicAdd>(s) || (store != nullptr && !private_.contains(store->buffer));
    });
  }

  // Surplus invocations come this far, so it must do no harm that they do.
  [[nodiscard]] Result<void> check_statement(const Stmt& stmt) const {
    if (writes(stmt)) return refuse(what_, stmt, "something is stored before the loop's end");
    std::string written;
    (void)any_expr(stmt, [&](const Expr& e) {
      const auto* load = ir::as<ir::Load>(e);
      if (load == nullptr || private_.contains(load->buffer)) return false;
      if (find_buffer(program_, load->buffer)->access == Access::read) return false;
      written = load->buffer;
      return true;
    });
    if (written.empty()) return {};
    return refuse(what_, stmt, fmt::format("it reads '{}', which may be written", written));
  }

  // From 0 in steps of 1 to an end that is the same for all.
  [[nodiscard]] bool is_counted_loop(const Stmt& stmt) const {
    const auto* loop = ir::as<For>(stmt);
    if (loop == nullptr) return false;
    if (loop->begin != ir::literal(0U) || loop->step != ir::literal(1U)) return false;
    const auto end = expanded(loop->end);
    return end && !any_expr(*end, [](const Expr& e) {
             const auto* id = ir::as<ir::Id>(e);
             return id != nullptr && id->kind == ir::IdKind::invocation;
           });
  }

  // Loads that every iteration makes.
  void collect(const ir::Block& block, const std::string& variable,
               std::vector<TiledLoad>& into) const {
    for (const Stmt& stmt : block) {
      for_each_operand(stmt, [&](const Expr& operand) {
        for_each_expr(operand, [&](const Expr& e) { consider(e, variable, into); });
      });
      const auto* region = ir::as<ir::Region>(stmt);
      if (region != nullptr) collect(region->body, variable, into);
    }
  }

  void consider(const Expr& e, const std::string& variable, std::vector<TiledLoad>& into) const {
    const auto* load = ir::as<ir::Load>(e);
    if (load == nullptr || load->lanes != 1 || private_.contains(load->buffer)) return;
    if (std::ranges::find(into, e, &TiledLoad::load) != into.end()) return;
    const auto index = expanded(load->index, variable);
    if (!index) return;
    TiledLoad made{.load = e, .index = *index};
    const bool in_loop = mentions(*index, {variable});
    for_each_expr(*index, [&](const Expr& part) {
      const auto* id = ir::as<ir::Id>(part);
      if (id != nullptr && id->kind == ir::IdKind::invocation) made.depends[id->dim] = true;
    });
    bool shared = false;
    for (std::size_t dim = 0; dim < 3; ++dim) {
      shared = shared || (!made.depends[dim] && workgroup_[dim] > 1);
    }
    made.along_loop = adds(*index, variable);
    if (in_loop && shared) into.push_back(std::move(made));
  }

  // Whether the variable itself is one of the terms.
  static bool adds(const Expr& index, const std::string& variable) {
    return match(
        index, [&](const ir::Var& n) { return n.name == variable; },
        [&](const ir::Binary& n) {
          return n.op == ir::BinaryOp::add && (adds(n.left, variable) || adds(n.right, variable));
        },
        [](const ir::OneOf<Literal, ir::Id, ir::Load, ir::Unary, ir::Fma, ir::Select, ir::Convert,
                           ir::Bitcast, ir::Splat, ir::Vector, ir::Lane, ir::Reduce> auto&) {
          return false;
        });
  }

  // In terms of ids, uniforms, literals and the loop variable; nothing if there is more in it.
  [[nodiscard]] std::optional<Expr> expanded(const Expr& expr,
                                             const std::string& variable = {}) const {
    constexpr int most = 200;  // names looked through: an index that needs more is hostile
    int budget = most;
    bool fine = true;
    const ir::Replace look_up = [&](const Expr& e) -> std::optional<Expr> {
      const auto* var = ir::as<ir::Var>(e);
      fine = fine && !ir::is<ir::Load>(e) && budget > 0;
      if (var == nullptr || !fine) return std::nullopt;
      if (var->name == variable || find_uniform(program_, var->name) != nullptr)
        return std::nullopt;
      const auto let = lets_.find(var->name);
      if (let == lets_.end()) fine = false;
      if (!fine) return std::nullopt;
      --budget;
      return replaced(let->second, look_up);
    };
    Expr made = replaced(expr, look_up);
    return fine ? std::optional(std::move(made)) : std::nullopt;
  }

  const ir::Program& program_;
  Extent workgroup_;
  std::string_view what_;
  ir::NameSet private_;
  std::unordered_map<std::string, Expr> lets_;
};

}  // namespace

Result<TilePlan> plan_tiles(const ir::Program& program, const Extent& workgroup,
                            std::string_view what) {
  return Planner(program, workgroup, what).run();
}

std::uint64_t tile_elements(const TiledLoad& load, const Tiling& tiling) {
  std::uint64_t count = tiling.depth;
  for (std::size_t dim = 0; dim < 3; ++dim) {
    if (load.depends[dim]) count *= tiling.workgroup[dim];
  }
  return count;
}

}  // namespace vyre::schedule
