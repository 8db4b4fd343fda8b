#include "schedule/assumptions.h"

#include <algorithm>
#include <ranges>

#include "base/check.h"
#include "ir/fold.h"
#include "ir/interval.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "ir/stride.h"
#include "ir/varying.h"
#include "ir/visit.h"

namespace vyre::schedule {
namespace {

using ir::Binary;
using ir::BinaryOp;
using ir::Expr;

// A range of this many steps of this length does not go around all numbers.
constexpr std::uint32_t longest_loop = 1U << 12U;
constexpr std::uint32_t longest_step = 1U << 16U;

bool names_something(const Expr& expr, const std::string& name) { return mentions(expr, {name}); }

// How much an expression of ids, uniforms and loop variables grows with one of the latter.
std::optional<std::uint32_t> growth(const Expr& expr, const ir::Var& variable) {
  const ir::Varying varying({}, ir::NameSet{variable.name});
  const ir::Strides strides({}, varying, variable);
  const auto stride = strides.of(expr);
  return stride ? literal_bits(*stride) : std::nullopt;
}

Expr with_value(const Expr& expr, const std::string& name, const Expr& value) {
  return replaced(expr, [&](const Expr& e) {
    const auto* var = ir::as<ir::Var>(e);
    return var != nullptr && var->name == name ? std::optional(value) : std::nullopt;
  });
}

Expr as_u32(const Expr& word) {
  return word.type() == ir::Type{Scalar::u32} ? word : Expr(ir::Convert{Scalar::u32, word});
}

}  // namespace

std::optional<Expr> Assumptions::expanded(const Expr& expr) const {
  Expr made = definitions_.expanded(expr);
  if (has_load(made) || definitions_.depends_on_variables(made)) return std::nullopt;
  return made;
}

bool Assumptions::is_known_inside(const Expr& expr) const {
  return std::ranges::any_of(
      loops_, [&](const ir::For* loop) { return names_something(expr, loop->name); });
}

// Where bounds name variables of other loops, the ends are not looked for.
std::optional<Assumptions::Ends> Assumptions::ends_of(const Expr& expr, Tests& into) const {
  Ends ends{expr, expr};
  for (const ir::For* loop : loops_ | std::views::reverse) {
    if (!names_something(ends.least, loop->name) && !names_something(ends.greatest, loop->name)) {
      continue;
    }
    const Scalar scalar = loop->begin.type().scalar;
    if (!is_word(scalar)) return {};
    const auto begin = expanded(loop->begin);
    const auto end = expanded(loop->end);
    const auto step = growth(expr, {loop->name, {scalar}});
    const auto own_step = literal_bits(loop->step);
    if (!begin || !end || is_known_inside(*begin) || is_known_inside(*end)) return {};
    if (!step || !own_step || *own_step == 0) return {};
    const bool grows = *step <= longest_step;
    if (!grows && *step < 0U - longest_step) return {};
    const Expr last = minus(*end, ir::integer(1, scalar));
    ends.least = with_value(ends.least, loop->name, grows ? *begin : last);
    ends.greatest = with_value(ends.greatest, loop->name, grows ? last : *begin);
    const Expr length = minus(*end, *begin);
    const auto known = literal_bits(length);
    if (known && *known > longest_loop) return {};
    if (!known) into.push_back(compared(BinaryOp::le, as_u32(length), ir::literal(longest_loop)));
  }
  if (!(ends.least == ends.greatest)) {
    into.push_back(compared(BinaryOp::le, ends.least, ends.greatest));
  }
  return ends;
}

std::optional<Assumptions::Tests> Assumptions::tests_of_comparison(const Binary& node,
                                                                   bool value) const {
  const BinaryOp op = value ? node.op : ir::negated(node.op);
  if (!is_word(node.left.type().scalar)) return std::nullopt;
  const bool in_loops = is_known_inside(node.left) || is_known_inside(node.right);
  if (!in_loops) return Tests{compared(op, node.left, node.right)};
  const bool below = op == BinaryOp::lt || op == BinaryOp::le;
  if (!below && op != BinaryOp::gt && op != BinaryOp::ge) return std::nullopt;
  Tests made;
  const auto left = ends_of(node.left, made);
  const auto right = ends_of(node.right, made);
  if (!left || !right) return std::nullopt;
  made.push_back(
      compared(op, below ? left->greatest : left->least, below ? right->least : right->greatest));
  return made;
}

// Both sides of an `and` that holds, or of an `or` that does not.
std::optional<Assumptions::Tests> Assumptions::tests_of_pair(const Binary& node, bool value) const {
  auto left = tests_of(node.left, value);
  const auto right = tests_of(node.right, value);
  if (!left || !right) return std::nullopt;
  left->insert(left->end(), right->begin(), right->end());
  return left;
}

std::optional<Assumptions::Tests> Assumptions::tests_of(const Expr& cond, bool value) const {
  if (const auto* unary = ir::as<ir::Unary>(cond)) {
    if (unary->op == ir::UnaryOp::bit_not) return tests_of(unary->arg, !value);
  }
  if (const auto* binary = ir::as<Binary>(cond)) {
    if (binary->op == (value ? BinaryOp::bit_and : BinaryOp::bit_or)) {
      return tests_of_pair(*binary, value);
    }
    if (ir::is_comparison(binary->op)) return tests_of_comparison(*binary, value);
  }
  if (is_known_inside(cond)) return std::nullopt;
  return Tests{value ? cond : Expr(ir::Unary{ir::UnaryOp::bit_not, cond})};
}

bool Assumptions::assume(const Expr& cond, bool value) {
  const auto known = expanded(cond);
  const auto tests = known ? tests_of(*known, value) : std::nullopt;
  if (!tests) return false;
  for (const Expr& test : *tests) {
    if (std::ranges::find(tests_, test) == tests_.end()) tests_.push_back(test);
  }
  return true;
}

Expr Assumptions::test() const {
  check(!tests_.empty(), "something was assumed");
  Expr all = tests_.front();
  for (const Expr& test : tests_ | std::views::drop(1)) all = both(all, test);
  return all;
}

}  // namespace vyre::schedule
