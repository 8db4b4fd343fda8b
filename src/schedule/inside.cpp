#include "schedule/inside.h"

#include <algorithm>
#include <array>
#include <optional>

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/polynomial.h"
#include "ir/range.h"
#include "ir/rewrite.h"
#include "ir/visit.h"
#include "schedule/assumptions.h"
#include "schedule/phases.h"
#include "schedule/space_maker.h"
#include "vyre/ir/size.h"

namespace vyre::schedule {
namespace {

using ir::Binary;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Stmt;

bool depends_on_place(const Expr& expr) {
  return any_expr(expr, [](const Expr& e) {
    const auto* id = ir::as<ir::Id>(e);
    return id != nullptr && id->kind == ir::IdKind::invocation;
  });
}

constexpr std::uint32_t longest_signed = 1U << 30U;  // a loop of i32

// What is known in the middle of the grid.
ir::Ranges in_the_middle(const ir::Program& program) {
  ir::Ranges known;
  for (const ir::Uniform& uniform : program.uniforms) {
    if (!is_word(uniform.value.scalar)) continue;
    const auto bits = static_cast<std::uint32_t>(uniform.value.bits);
    const bool is_signed = uniform.value.scalar == Scalar::i32;
    const std::int64_t value = is_signed ? std::int64_t{static_cast<std::int32_t>(bits)} : bits;
    known.know(uniform.name, {value, value});
  }
  const auto shape = launch_shape(program);
  for (std::uint8_t dim = 0; shape && dim < 3; ++dim) {
    const std::int64_t middle = shape->grid[dim] / 2;
    known.know(ir::Id{ir::IdKind::invocation, dim}, {middle, middle});
    known.know(ir::Id{ir::IdKind::grid, dim}, {shape->grid[dim], shape->grid[dim]});
  }
  return known;
}

// Walks a body, leaves out what is decided in the middle of the grid, and notes what it relied on.
class InsideBody {
 public:
  explicit InsideBody(const ir::Program& program)
      : program_(program),
        names_(program),
        middle_(in_the_middle(program)),
        assumptions_(mutable_names(program.body)) {}

  Block block(const Block& body) {
    Block made;
    for (const Stmt& stmt : body) statement(stmt, made);
    return made;
  }
  [[nodiscard]] const Assumptions& assumptions() const { return assumptions_; }

 private:
  void statement(const Stmt& stmt, Block& into) {
    if (const auto* branch = ir::as<ir::If>(stmt); branch != nullptr && depth_ > 0) {
      if (const auto way = decided(expr(branch->cond))) {
        const Block taken = block(*way ? branch->then : branch->otherwise);
        into.insert(into.end(), taken.begin(), taken.end());
        return;
      }
    }
    const auto* loop = ir::as<ir::For>(stmt);
    if (loop != nullptr) {
      if (auto same = counted(*loop)) return statement({*std::move(same)}, into);
      enter(*loop);
    }
    into.push_back(with_parts(
        stmt, [&](const Expr& e) { return expr(e); },
        [&](const Block& inner) { return block(inner); }));
    if (loop != nullptr) leave();
    if (const auto* let = ir::as<ir::Let>(into.back())) assumptions_.pass(*let);
  }

  // How often a loop in steps of one runs that begins where the place says, if that does not depend
  // on the place.
  std::optional<Expr> common_length(const ir::For& loop) {
    const auto begin = assumptions_.expanded(loop.begin);
    const auto end = assumptions_.expanded(loop.end);
    if (!begin || !end || !depends_on_place(*begin) || !ir::is_literal(loop.step, 1)) return {};
    const auto length = polynomial_of(Binary{BinaryOp::sub, *end, *begin});
    if (!length) return {};
    const bool is_signed = begin->type().scalar == Scalar::i32;
    const auto is_common = [&](const ir::Polynomial::value_type& term) {
      return is_signed ? term.first.empty() && term.second <= longest_signed
                       : are_uniforms(program_, term.first);
    };
    if (!std::ranges::all_of(*length, is_common)) return {};
    const Expr steps =
        is_signed
            ? ir::integer(ir::literal_bits(ir::expression_of(*length)).value_or(0), Scalar::i32)
            : ir::expression_of(*length);
    const Expr most = ir::integer(is_signed ? ~0U >> 1U : ~0U, begin->type().scalar);
    const bool ends = decided(compared(BinaryOp::le, loop.begin, minus(most, steps)), true);
    return ends ? std::optional(steps) : std::nullopt;
  }

  // A loop that begins where the place says, but is equally long everywhere, counts from 0.
  std::optional<ir::For> counted(const ir::For& loop) {
    const ir::For simple{loop.name, expr(loop.begin), expr(loop.end), loop.step, loop.body};
    const auto length = common_length(simple);
    if (!length) return {};
    const ir::Type type = simple.begin.type();
    const std::string count = names_.fresh(loop.name + "_count");
    ir::For made{count, ir::zero(type.scalar), *length, loop.step, loop.body};
    const Expr value = plus(simple.begin, ir::Var{count, type});
    made.body.insert(made.body.begin(), {ir::Let{loop.name, value, false}});
    return made;
  }

  // A loop's variable is looked at where it begins: in the middle, borders are far from all of it.
  void enter(const ir::For& loop) {
    if (const auto begin = assumptions_.expanded(loop.begin)) {
      middle_.know(loop.name, middle_.of(*begin));
    }
    assumptions_.enter(loop);
    ++depth_;
  }
  void leave() {
    assumptions_.leave();
    --depth_;
  }

  Expr expr(const Expr& from) {
    return map_exprs(from, [&](const Expr& e) { return simplified(e); });
  }

  Expr simplified(const Expr& expr) {
    if (const auto* choice = ir::as<ir::Select>(expr)) {
      const auto way = expr.type().lanes == 1 ? decided(choice->cond) : std::nullopt;
      return !way ? expr : *way ? choice->yes : choice->no;
    }
    const auto* node = ir::as<Binary>(expr);
    if (node == nullptr || !is_word(expr.type().scalar) || expr.type().lanes != 1) return expr;
    if (node->op == BinaryOp::min || node->op == BinaryOp::max) return unclamped(expr, *node);
    return node->op == BinaryOp::rem ? unwrapped(expr, *node) : expr;
  }

  // The side that depends on the place, if it alone does and is not beyond the other.
  Expr unclamped(const Expr& expr, const Binary& node) {
    const bool left = is_placed(node.left);
    if (left == is_placed(node.right)) return expr;
    const Expr& own = left ? node.left : node.right;
    const Expr& bound = left ? node.right : node.left;
    const BinaryOp op = node.op == BinaryOp::min ? BinaryOp::le : BinaryOp::ge;
    return decided(compared(op, own, bound), true) ? own : expr;
  }

  Expr unwrapped(const Expr& expr, const Binary& node) {
    if (expr.type().scalar != Scalar::u32 || !is_placed(node.left) || is_placed(node.right)) {
      return expr;
    }
    const Expr once = minus(node.left, node.right);
    const Expr below = compared(BinaryOp::lt, node.left, node.right);
    const Expr below_twice = both(compared(BinaryOp::ge, node.left, node.right),
                                  compared(BinaryOp::lt, once, node.right));
    if (decided(below, true)) return node.left;
    return decided(below_twice, true) ? once : expr;
  }

  [[nodiscard]] bool is_placed(const Expr& expr) const {
    const auto known = assumptions_.expanded(expr);
    return known && depends_on_place(*known);
  }

  // What the condition is in the middle, and is from now on relied on to be.
  std::optional<bool> decided(const Expr& cond) {
    if (!is_placed(cond)) return std::nullopt;
    const ir::Interval values = middle_.of(*assumptions_.expanded(cond));
    if (!values.is_one_value()) return std::nullopt;
    const bool value = values.lo != 0;
    return assumptions_.assume(cond, value) ? std::optional(value) : std::nullopt;
  }
  // The same where only this answer is of use.
  bool decided(const Expr& cond, bool wanted) {
    const auto known = assumptions_.expanded(cond);
    const std::int64_t value = wanted ? 1 : 0;
    return known && middle_.of(*known) == ir::Interval{value, value} &&
           assumptions_.assume(cond, wanted);
  }

  const ir::Program& program_;
  ir::Names names_;
  ir::Ranges middle_;
  Assumptions assumptions_;
  int depth_ = 0;  // of loops
};

constexpr std::array inside_parameters = {
    Parameter{inside_name, "1: away from borders nothing is clamped or tested", 0}};

// Also where borders only show in what phases make of the program.
Result<ir::Program> split_of(const ir::Program& program) {
  auto made = split_inside(program);
  if (made) return made;
  VYRE_TRY(const ir::Program phased, with_phases(program, 2));
  return split_inside(phased);
}

void declare_inside(SpaceMaker& space) {
  const auto made = split_of(space.program());
  if (!made) return;
  space.parameter(inside_name, std::array{0U, 1U});
  space.note_body(statement_count(made->body));
}

Result<ir::Program> take_inside(const ir::Program& program, const Schedule& schedule) {
  return schedule[inside_name] == 0 ? program : split_inside(program);
}

// Without borders in the way neighbours are neighbours: vectors, and rows that share what they
// load where loops over few neighbours are written out.
constexpr std::array<std::string_view, 2> inside_guesses = {
    "inside=1 vector=16 items_y=4 unroll=8 order=jammed",
    "inside=1 vector=16 items_y=2 order=jammed"};

}  // namespace

constinit const Step inside_step = {.parameters = inside_parameters,
                                    .declare = declare_inside,
                                    .apply = take_inside,
                                    .guesses = inside_guesses};

Result<ir::Program> split_inside(const ir::Program& program) {
  constexpr std::string_view what = "keep borders apart";
  if (auto fine = check_independent(program, what); !fine) return Unexpected(fine.error());
  ir::Program made = with_unique_names(program);
  InsideBody inside(made);
  Block fast = inside.block(made.body);
  if (inside.assumptions().empty()) {
    return refuse(what, "no index is clamped, wrapped or tested by its place in the grid");
  }
  ir::Names names(made);
  Block apart = copy_of(made.body, names);
  made.body = {{ir::If{inside.assumptions().test(), std::move(fast), std::move(apart)}}};
  return finished(std::move(made), what);
}

}  // namespace vyre::schedule
