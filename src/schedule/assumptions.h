// What an invocation can test once, before its body, to know that comparisons of integers hold
// wherever the body makes them.
//
// A comparison of e with b inside loops holds in all their iterations if it holds for the least and
// the greatest value of e. Where e grows by fixed steps with the loops' variables, these are found
// at the ends of their ranges.
#pragma once

#include <optional>
#include <vector>

#include "ir/definitions.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

class Assumptions {
 public:
  explicit Assumptions(ir::NameSet variables) : definitions_(std::move(variables)) {}

  // Statements that the walk passes.
  void pass(const ir::Let& let) { definitions_.define(let); }
  void enter(const ir::For& loop) { loops_.push_back(&loop); }
  void leave() { loops_.pop_back(); }

  // From now on the condition may be relied on to be this. False where no test before the body can
  // show it: it loads, or depends on variables.
  bool assume(const ir::Expr& cond, bool value);
  // An expression in ids, uniforms and loop variables; nothing if there is more in it.
  [[nodiscard]] std::optional<ir::Expr> expanded(const ir::Expr& expr) const;

  // All of it as one condition on ids and uniforms. Requires: something was assumed.
  [[nodiscard]] ir::Expr test() const;
  [[nodiscard]] bool empty() const { return tests_.empty(); }

 private:
  struct Ends {
    ir::Expr least;
    ir::Expr greatest;
  };
  using Tests = std::vector<ir::Expr>;

  [[nodiscard]] std::optional<Tests> tests_of(const ir::Expr& cond, bool value) const;
  [[nodiscard]] std::optional<Tests> tests_of_pair(const ir::Binary& node, bool value) const;
  [[nodiscard]] std::optional<Tests> tests_of_comparison(const ir::Binary& node, bool value) const;
  [[nodiscard]] std::optional<Ends> ends_of(const ir::Expr& expr, Tests& into) const;
  [[nodiscard]] bool is_known_inside(const ir::Expr& expr) const;

  ir::Definitions definitions_;
  std::vector<const ir::For*> loops_;
  Tests tests_;
};

}  // namespace vyre::schedule
