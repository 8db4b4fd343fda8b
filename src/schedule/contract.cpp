#include "schedule/contract.h"

#include <algorithm>
#include <array>
#include <vector>

#include "ir/names.h"
#include "ir/rewrite.h"
#include "ir/visit.h"
#include "schedule/accumulators.h"
#include "schedule/space_maker.h"

namespace vyre::schedule {
namespace {

using ir::Binary;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Stmt;

const Binary* as_product(const Expr& expr) {
  const auto* binary = ir::as<Binary>(expr);
  return binary != nullptr && binary->op == BinaryOp::mul ? binary : nullptr;
}

Expr negated(const Expr& expr) { return ir::Unary{ir::UnaryOp::neg, expr}; }

// A sum or difference with a product in it, as one operation; others as they are.
Expr fused(const Expr& expr) {
  const auto* sum = ir::as<Binary>(expr);
  if (sum == nullptr || !is_float(expr.type().scalar)) return expr;
  if (sum->op != BinaryOp::add && sum->op != BinaryOp::sub) return expr;
  const bool minus = sum->op == BinaryOp::sub;
  if (const Binary* right = as_product(sum->right)) {
    return ir::Fma{minus ? negated(right->left) : right->left, right->right, sum->left};
  }
  if (const Binary* left = as_product(sum->left)) {
    return ir::Fma{left->left, left->right, minus ? negated(sum->right) : sum->right};
  }
  return expr;
}

void add_factors(const Expr& expr, std::vector<Expr>& into) {
  const Binary* product = as_product(expr);
  if (product == nullptr) return into.push_back(expr);
  add_factors(product->left, into);
  add_factors(product->right, into);
}

Expr product_of(const std::vector<Expr>& factors) {
  Expr made = factors.front();
  for (std::size_t i = 1; i < factors.size(); ++i) made = Binary{BinaryOp::mul, made, factors[i]};
  return made;
}

// What `s = s + e` or `s = e + s` adds; nothing for other updates.
std::optional<Expr> added_by(const ir::Assign& assign) {
  const auto is_variable = [&](const Expr& e) {
    const auto* var = ir::as<ir::Var>(e);
    return var != nullptr && var->name == assign.name;
  };
  if (const auto* fma = ir::as<ir::Fma>(assign.value)) {
    if (is_variable(fma->c)) return Expr(Binary{BinaryOp::mul, fma->a, fma->b});
  }
  const auto* sum = ir::as<Binary>(assign.value);
  if (sum == nullptr || sum->op != BinaryOp::add) return std::nullopt;
  if (is_variable(sum->left)) return sum->right;
  return is_variable(sum->right) ? std::optional(sum->left) : std::nullopt;
}

class Contraction {
 public:
  explicit Contraction(const ir::Program& program) : names_(program) {}

  // From the innermost loops out, so that a factor can leave several.
  Block without_fixed_factors(const Block& body) {
    return map_stmts(body, [&](Stmt stmt, Block& into) {
      if (auto* loop = ir::as<ir::For>(stmt)) return around(std::move(*loop), into);
      into.push_back(std::move(stmt));
    });
  }
  [[nodiscard]] bool any() const { return any_; }

 private:
  void around(ir::For loop, Block& into) {
    Block after;
    if (const auto found = accumulators(loop)) {
      for (const Accumulator& accumulator : *found) {
        if (rounds(accumulator) && accumulator.op == BinaryOp::add) {
          move_factors(accumulator.variable, loop, into, after);
        }
      }
    }
    into.push_back({std::move(loop)});
    std::ranges::move(after, std::back_inserter(into));
  }

  void move_factors(const ir::Var& variable, ir::For& loop, Block& before, Block& after) {
    const auto* update = only_update(loop.body, variable.name);
    const auto added = update == nullptr ? std::nullopt : added_by(*update);
    if (!added) return;
    std::vector<Expr> factors;
    add_factors(*added, factors);
    const auto middle = std::ranges::stable_partition(factors, [&](const Expr& e) {
                          return !is_fixed(e, loop);
                        }).begin();
    const std::vector<Expr> fixed(middle, factors.end());
    factors.erase(middle, factors.end());
    if (fixed.empty() || factors.empty()) return;
    const ir::Var part = {names_.fresh(variable.name), variable.type};
    before.push_back({ir::Let{part.name, start_of_part({variable}), true}});
    loop.body = map_stmts(loop.body, [&](Stmt stmt, Block& into) {
      const auto* assign = ir::as<ir::Assign>(stmt);
      if (assign != nullptr && assign->name == variable.name) {
        stmt.node = ir::Assign{part.name, Binary{BinaryOp::add, part, product_of(factors)}};
      }
      into.push_back(std::move(stmt));
    });
    const Expr scaled = Binary{BinaryOp::mul, product_of(fixed), part};
    after.push_back({ir::Assign{variable.name, Binary{BinaryOp::add, variable, scaled}}});
    any_ = true;
  }

  // The one assignment to a name; null where there are several.
  static const ir::Assign* only_update(const Block& body, const std::string& name) {
    const ir::Assign* only = nullptr;
    bool several = false;
    for_each_stmt(body, [&](const Stmt& stmt) {
      const auto* assign = ir::as<ir::Assign>(stmt);
      if (assign == nullptr || assign->name != name) return;
      several = several || only != nullptr;
      only = assign;
    });
    return several ? nullptr : only;
  }

  // Whether every iteration has this value, also if the loop runs not at all: what is loaded may be
  // out of bounds then.
  static bool is_fixed(const Expr& expr, const ir::For& loop) {
    ir::NameSet inside = declared_names(loop.body);
    inside.insert(loop.name);
    inside.merge(assigned_names(loop.body));
    return !has_load(expr) && !mentions(expr, inside);
  }

  ir::Names names_;
  bool any_ = false;
};

constexpr std::string_view contract_name = "contract";
constexpr std::array contract_parameters = {
    Parameter{contract_name, "1: a * b + c is one operation, fixed factors leave sums", 0}};

void declare_contract(SpaceMaker& space) {
  if (contracted(space.program())) space.parameter(contract_name, std::array{0U, 1U});
}

Result<ir::Program> take_contract(const ir::Program& program, const Schedule& schedule) {
  return schedule[contract_name] == 0 ? program : contracted(program);
}

}  // namespace

constinit const Step contract_step = {.parameters = contract_parameters,
                                      .declare = declare_contract,
                                      .apply = take_contract,
                                      .favoured = 1U};

Result<ir::Program> contracted(const ir::Program& program) {
  constexpr std::string_view what = "contract float arithmetic";
  if (!program.reassociate) {
    return refuse(what, "the program does not say that order does not matter (`reassociate`)");
  }
  ir::Program made = with_unique_names(program);
  Contraction contraction(made);
  made.body = contraction.without_fixed_factors(made.body);
  bool any = contraction.any();
  made.body = map_exprs(made.body, [&](const Expr& expr) {
    Expr short_form = fused(expr);
    any = any || !(short_form == expr);
    return short_form;
  });
  if (!any) return refuse(what, "it has no sum with a product in it");
  return finished(std::move(made), what);
}

}  // namespace vyre::schedule
