#include "schedule/counters.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "ir/rewrite.h"
#include "ir/visit.h"
#include "schedule/masks.h"

namespace vyre::schedule {
namespace {

using ir::Block;
using ir::Expr;
using ir::Stmt;

bool assigns(const Stmt& stmt, const std::string& name) {
  return ir::assigned_names({stmt}).contains(name);
}

bool mentions(const Stmt& stmt, const ir::Var& variable) {
  return any_expr(stmt, [&](const Expr& e) { return e == Expr(variable); });
}

std::size_t assignments(const Block& body, const std::string& name) {
  std::size_t count = 0;
  for_each_stmt(body, [&](const Stmt& stmt) {
    const auto* assign = ir::as<ir::Assign>(stmt);
    if (assign != nullptr && assign->name == name) ++count;
  });
  return count;
}

// The scalar variables from outside that a loop's body assigns to, only beside each other.
std::vector<ir::Var> candidates(const ir::While& loop) {
  const ir::NameSet inside = ir::declared_names(loop.body);
  std::vector<ir::Var> made;
  for (const Stmt& stmt : loop.body) {
    const auto* assign = ir::as<ir::Assign>(stmt);
    if (assign == nullptr || inside.contains(assign->name)) continue;
    const auto here = std::ranges::count_if(loop.body, [&](const Stmt& s) {
      return ir::is<ir::Assign>(s) && assigns(s, assign->name);
    });
    const bool beside = static_cast<std::size_t>(here) == assignments(loop.body, assign->name);
    const ir::Var variable = {assign->name, assign->value.type()};
    const bool known = std::ranges::find(made, variable) != made.end();
    if (beside && !known && variable.type.lanes == 1) made.push_back(variable);
  }
  return made;
}

// The statement beside the loop that gives the variable the value with which the loop begins.
std::optional<std::size_t> beginning(const Block& block, std::size_t loop,
                                     const std::string& name) {
  for (std::size_t i = loop; i-- > 0;) {
    const auto* let = ir::as<ir::Let>(block[i]);
    if (let != nullptr && let->name == name) return i;
    if (assigns(block[i], name))
      return ir::is<ir::Assign>(block[i]) ? std::optional(i) : std::nullopt;
  }
  return std::nullopt;
}

Stmt with_value(const Stmt& stmt, const Expr& value) {
  return with_parts(stmt, [&](const Expr&) { return value; }, [](const Block& b) { return b; });
}

class Counting {
 public:
  Counting(Block body, Lanes::Options& options, ir::Names& names)
      : body_(std::move(body)), options_(options), names_(names), varying_(varying()) {}

  Block done() {
    visit(body_);
    return std::move(body_);
  }

 private:
  [[nodiscard]] ir::Varying varying() const {
    return {body_, options_.dim, names_of(options_.private_buffers), names_of(options_.counters)};
  }

  // From the outermost loops in: inner ones may begin with what outer ones count.
  void visit(Block& block) {
    for (std::size_t at = 0; at < block.size(); ++at) {
      if (is_for_counters(block[at])) {
        for (const ir::Var& variable : candidates(*ir::as<ir::While>(block[at]))) {
          if (count(block, at, variable)) ++at;
        }
      }
      for_each_block(block[at], [&](Block& inner) { visit(inner); });
    }
  }

  [[nodiscard]] bool is_for_counters(const Stmt& stmt) const {
    const auto* loop = ir::as<ir::While>(stmt);
    return loop != nullptr && varying_.diverges(stmt) && !Masks::only_computes(stmt) &&
           (options_.vectors || ir::is<ir::Reduce>(loop->cond));
  }

  // Whether a counter is added to the block.
  bool count(Block& block, std::size_t at, const ir::Var& variable) {
    const auto first = beginning(block, at, variable.name);
    if (!first || is_counter(block, at, *first, variable) || !options_.vectors) return false;
    return add(block, at, *first, variable);
  }

  // Whether the variable is one as it is: nobody sees it after the loop.
  bool is_counter(const Block& block, std::size_t loop, std::size_t first,
                  const ir::Var& variable) {
    const auto* let = ir::as<ir::Let>(block[first]);
    if (let == nullptr || !ir::is<Literal>(let->value)) return false;
    const auto sees = [&](const Stmt& stmt) {
      return mentions(stmt, variable) || assigns(stmt, variable.name);
    };
    return std::ranges::none_of(std::span(block).subspan(loop + 1), sees) &&
           keep(variable.name, let->value);
  }

  // Makes a counter of the variable, and keeps it if it is the same for all lanes.
  bool add(Block& block, std::size_t at, std::size_t first, const ir::Var& variable) {
    const Block before = block;
    const ir::Var counter = {names_.fresh(variable.name + "_all"), variable.type};
    rewrite(*ir::as<ir::While>(block[at]), variable, counter);
    Stmt& begin = block[first];
    Expr value;
    for_each_operand(begin, [&](const Expr& e) { value = e; });
    begin = with_value(begin, counter);
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(first),
                 {ir::Let{counter.name, value, true}});
    if (keep(counter.name, variable)) return true;
    block = before;
    return false;
  }

  bool keep(const std::string& counter, const Expr& begin) {
    options_.counters.emplace(counter, begin);
    ir::Varying now = varying();
    if (now.varies(counter)) {
      options_.counters.erase(counter);
      return false;
    }
    varying_ = std::move(now);
    return true;
  }

  static void rewrite(ir::While& loop, const ir::Var& variable, const ir::Var& counter) {
    const auto read = [&](const Expr& e) -> std::optional<Expr> {
      const auto* var = ir::as<ir::Var>(e);
      return var != nullptr && var->name == variable.name ? std::optional<Expr>(counter)
                                                          : std::nullopt;
    };
    loop.cond = ir::replaced(loop.cond, read);
    Block made;
    for (const Stmt& stmt : ir::replaced(loop.body, read)) {
      const auto* assign = ir::as<ir::Assign>(stmt);
      if (assign != nullptr && assign->name == variable.name) {
        made.push_back({ir::Assign{counter.name, assign->value}, stmt.place});
        made.push_back({ir::Assign{variable.name, counter}, stmt.place});
      } else {
        made.push_back(stmt);
      }
    }
    loop.body = std::move(made);
  }

  Block body_;
  Lanes::Options& options_;
  ir::Names& names_;
  ir::Varying varying_;
};

}  // namespace

Block with_counters(Block body, Lanes::Options& options, ir::Names& names) {
  return Counting(std::move(body), options, names).done();
}

}  // namespace vyre::schedule
