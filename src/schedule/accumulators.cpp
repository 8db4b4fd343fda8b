#include "schedule/accumulators.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "ir/visit.h"

namespace vyre::schedule {
namespace {

using ir::BinaryOp;
using ir::Expr;

std::size_t reads(const Expr& expr, const std::string& name) {
  std::size_t count = 0;
  for_each_expr(expr, [&](const Expr& e) {
    const auto* var = ir::as<ir::Var>(e);
    if (var != nullptr && var->name == name) ++count;
  });
  return count;
}

std::optional<BinaryOp> way_down(const Expr& value, const std::string& name);

// The operation of the steps between `from` and the variable, if each of them is `own`.
std::optional<BinaryOp> through(const Expr& part, const std::string& name, BinaryOp own) {
  if (ir::is<ir::Var>(part)) return own;
  const auto below = way_down(part, name);
  return below == own ? below : std::nullopt;
}

// A choice between an update and the variable as it is.
std::optional<BinaryOp> of_choice(const ir::Select& node, const std::string& name) {
  const bool keeps_yes = ir::is<ir::Var>(node.yes) && reads(node.yes, name) == 1;
  const Expr& kept = keeps_yes ? node.yes : node.no;
  const Expr& update = keeps_yes ? node.no : node.yes;
  if (!ir::is<ir::Var>(kept) || reads(kept, name) != 1 || reads(node.cond, name) != 0) {
    return std::nullopt;
  }
  return way_down(update, name);
}

// The operation by which the variable, read once, enters the value; nothing if there are several.
std::optional<BinaryOp> way_down(const Expr& value, const std::string& name) {
  using Found = std::optional<BinaryOp>;
  return match(
      value,
      [&](const ir::Binary& n) -> Found {
        const bool on_left = reads(n.left, name) > 0;
        switch (n.op) {
          case BinaryOp::add:
          case BinaryOp::mul:
          case BinaryOp::min:
          case BinaryOp::max:
            return through(on_left ? n.left : n.right, name, n.op);
          case BinaryOp::sub:
            return on_left ? through(n.left, name, BinaryOp::add) : std::nullopt;
          default:
            return std::nullopt;
        }
      },
      [&](const ir::Fma& n) -> Found {
        return reads(n.c, name) == 1 ? through(n.c, name, BinaryOp::add) : std::nullopt;
      },
      [&](const ir::Select& n) -> Found { return of_choice(n, name); },
      [](const ir::OneOf<Literal, ir::Var, ir::Id, ir::Load, ir::Unary, ir::Convert, ir::Bitcast,
                         ir::Splat, ir::Vector, ir::Lane, ir::Reduce> auto&) -> Found {
        return std::nullopt;
      });
}

std::optional<BinaryOp> operation_of(const ir::Assign& assign) {
  const bool choice = ir::is<ir::Select>(assign.value);
  if (reads(assign.value, assign.name) != (choice ? 2U : 1U)) return std::nullopt;
  return way_down(assign.value, assign.name);
}

Failure not_only_accumulated(const ir::For& loop, const std::string& name) {
  return fail(
      ErrorKind::input,
      fmt::format("the loop over '{}' does more with '{}' than accumulate it", loop.name, name));
}

// How often the loop's body reads a name.
std::size_t reads_in(const ir::Block& body, const std::string& name) {
  std::size_t count = 0;
  for_each_expr(body, [&](const Expr& e) {
    const auto* var = ir::as<ir::Var>(e);
    if (var != nullptr && var->name == name) ++count;
  });
  return count;
}

struct Updates {
  Accumulator of;
  std::size_t reads = 0;
};

Result<void> note(const ir::For& loop, const ir::Assign& assign, std::vector<Updates>& found) {
  const auto op = operation_of(assign);
  if (!op || assign.value.type().lanes != 1) return not_only_accumulated(loop, assign.name);
  const auto name_of = [](const Updates& u) { return u.of.variable.name; };
  auto known = std::ranges::find(found, assign.name, name_of);
  if (known == found.end()) {
    found.push_back({{{assign.name, assign.value.type()}, *op}});
    known = found.end() - 1;
  }
  if (known->of.op != *op) return not_only_accumulated(loop, assign.name);
  known->reads += reads(assign.value, assign.name);
  return {};
}

}  // namespace

bool rounds(const Accumulator& accumulator) {
  const bool exact = accumulator.op == BinaryOp::min || accumulator.op == BinaryOp::max;
  return is_float(accumulator.variable.type.scalar) && !exact;
}

Expr start_of_part(const Accumulator& accumulator) {
  const Scalar scalar = accumulator.variable.type.scalar;
  if (accumulator.op != BinaryOp::add && accumulator.op != BinaryOp::mul) {
    return accumulator.variable;
  }
  const std::uint32_t neutral = accumulator.op == BinaryOp::add ? 0 : 1;
  if (scalar == Scalar::f32) return ir::literal(static_cast<float>(neutral));
  if (scalar == Scalar::f64) return ir::literal(static_cast<double>(neutral));
  return ir::integer(neutral, scalar);
}

Result<std::vector<Accumulator>> accumulators(const ir::For& loop) {
  const ir::NameSet inside = declared_names(loop.body);
  std::vector<Updates> found;
  Result<void> fine;
  for_each_stmt(loop.body, [&](const ir::Stmt& stmt) {
    const auto* assign = ir::as<ir::Assign>(stmt);
    if (fine && assign != nullptr && !inside.contains(assign->name)) {
      fine = note(loop, *assign, found);
    }
  });
  if (!fine) return Unexpected(fine.error());
  std::vector<Accumulator> made;
  for (const Updates& updates : found) {
    const std::string& name = updates.of.variable.name;
    if (reads_in(loop.body, name) != updates.reads) return not_only_accumulated(loop, name);
    made.push_back(updates.of);
  }
  return made;
}

Result<std::vector<Accumulator>> accumulators_in_any_order(const ir::For& loop, bool reassociate) {
  VYRE_TRY(auto found, accumulators(loop));
  const auto rounding = std::ranges::find_if(found, rounds);
  if (reassociate || rounding == found.end()) return found;
  return fail(ErrorKind::input,
              fmt::format("'{}' is a sum of floats, and the program does not say that order does "
                          "not matter (`reassociate`)",
                          rounding->variable.name));
}

ir::Block with_accumulator(const ir::Block& body, const ir::Var& from, const std::string& to) {
  ir::Block made;
  for (const ir::Stmt& stmt : with_var(body, from.name, ir::Var{to, from.type})) {
    made.push_back(with_targets(stmt, {{from.name, to}}));
  }
  return made;
}

}  // namespace vyre::schedule
