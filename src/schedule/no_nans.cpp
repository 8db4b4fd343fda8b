#include "schedule/no_nans.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/nans.h"
#include "ir/rewrite.h"
#include "ir/visit.h"
#include "schedule/loops.h"
#include "schedule/space_maker.h"
#include "schedule/split_sums.h"

namespace vyre::schedule {
namespace {

using ir::Binary;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Load;
using ir::Loaded;
using ir::Nans;
using ir::Stmt;

// The minimum or maximum, if one of its operands is a number.
const Binary* changeable(const Expr& expr, const Nans& nans) {
  const auto* node = ir::as<Binary>(expr);
  if (node == nullptr || !is_float(expr.type().scalar)) return nullptr;
  if (node->op != BinaryOp::min && node->op != BinaryOp::max) return nullptr;
  return nans.may_be(node->left) && nans.may_be(node->right) ? nullptr : node;
}

bool loads_float(const Expr& expr, const ir::NameSet& private_buffers) {
  const auto* load = ir::as<Load>(expr);
  return load != nullptr && is_float(expr.type().scalar) && !private_buffers.contains(load->buffer);
}

// How often expressions that pass the test are evaluated in one run of the body, about.
template <class Test>
double evaluations(const Block& body, const Test& test) {
  constexpr double trips_unknown = 16;
  double sum = 0;
  for (const Stmt& stmt : body) {
    for_each_operand(stmt, [&](const Expr& operand) {
      for_each_expr(operand, [&](const Expr& e) { sum += test(e) ? 1 : 0; });
    });
    double times = 1;
    if (ir::is<ir::While>(stmt)) times = trips_unknown;
    if (const auto* loop = ir::as<ir::For>(stmt)) {
      const auto known = trips(*loop);
      times = known ? static_cast<double>(*known) : trips_unknown;
    }
    for_each_block(stmt, [&](const Block& inner) { sum += times * evaluations(inner, test); });
  }
  return sum;
}

double changes(const Block& body, const Nans& nans) {
  return evaluations(body, [&](const Expr& e) { return changeable(e, nans) != nullptr; });
}

// Whether the body can run twice, with the same result as once, and each float it loads be looked
// at where it is loaded.
bool can_repeat(const ir::Program& program, const ir::NameSet& private_buffers) {
  ir::NameSet written;
  const bool meets = any_stmt(program.body, [&](const Stmt& stmt) {
    if (const auto* store = ir::as<ir::Store>(stmt)) written.insert(store->buffer);
    return ir::is<ir::Barrier>(stmt) || ir::is<ir::AtomicAdd>(stmt);
  });
  if (meets) return false;
  const auto reads_written = [&](const Expr& e) {
    const auto* load = ir::as<Load>(e);
    return load != nullptr && written.contains(load->buffer) &&
           !private_buffers.contains(load->buffer);
  };
  if (any_expr(program.body, reads_written)) return false;
  return !any_stmt(program.body, [&](const Stmt& stmt) {
    return (ir::is<ir::For>(stmt) || ir::is<ir::While>(stmt)) &&
           any_operand(stmt, [&](const Expr& header) {
             return any_expr(header,
                             [&](const Expr& e) { return loads_float(e, private_buffers); });
           });
  });
}

Expr splat(const Expr& scalar, std::uint8_t lanes) {
  return lanes == 1 ? scalar : Expr(ir::Splat{lanes, scalar});
}

class Writer {
 public:
  Writer(const ir::Program& program, const Nans& nans, bool checks)
      : names_(program), nans_(nans), checks_(checks), private_(ir::private_names(program)) {}

  // With what repeats it, if need be.
  Block body(const Block& once) {
    const Block fast = block(once);
    Block made;
    for (const auto& [type, name] : sums_) {
      made.push_back({ir::Let{name, splat(ir::zero(type.scalar), type.lanes), true}});
    }
    made.insert(made.end(), fast.begin(), fast.end());
    if (!sums_.empty()) made.push_back({ir::If{saw_nan(), copy_of(once, names_), {}}});
    return made;
  }

 private:
  Block block(const Block& before) {
    Block made;
    for (const Stmt& stmt : before) {
      const bool has_header = ir::is<ir::For>(stmt) || ir::is<ir::While>(stmt);
      const auto inside = [&](const Block& inner) { return block(inner); };
      const auto change = [&](const Expr& e) { return has_header ? e : changed(e, made); };
      Stmt after = with_parts(stmt, change, inside);
      made.push_back(std::move(after));
    }
    return made;
  }

  Expr changed(const Expr& expr, Block& into) {
    const Expr made = with_operands(expr, [&](const Expr& e) { return changed(e, into); });
    if (checks_ && loads_float(expr, private_)) return checked(made, into);
    const Binary* before = changeable(expr, nans_);
    return before == nullptr ? made : selected(*before, *ir::as<Binary>(made), into);
  }

  Expr checked(const Expr& load, Block& into) {
    const Expr value = named(load, "value", names_, into);
    const std::string& sum = sum_of(load.type());
    into.push_back({ir::Assign{sum, Binary{BinaryOp::add, ir::Var{sum, load.type()}, value}}});
    return value;
  }

  Expr selected(const Binary& before, const Binary& node, Block& into) {
    const bool right_is_number = !nans_.may_be(before.right);
    const Expr number = simple(right_is_number ? node.right : node.left, into);
    const Expr other = simple(right_is_number ? node.left : node.right, into);
    const BinaryOp op = before.op == BinaryOp::min ? BinaryOp::lt : BinaryOp::gt;
    return ir::Select{Binary{op, other, number}, other, number};
  }

  Expr simple(const Expr& expr, Block& into) {
    if (ir::is<ir::Var>(expr) || ir::is<Literal>(expr)) return expr;
    return named(expr, "value", names_, into);
  }

  const std::string& sum_of(ir::Type type) {
    const auto found = std::ranges::find(sums_, type, &Sum::type);
    if (found != sums_.end()) return found->name;
    return sums_.emplace_back(type, names_.fresh("loaded")).name;
  }

  [[nodiscard]] Expr saw_nan() const {
    std::optional<Expr> any;
    for (const auto& [type, name] : sums_) {
      const Expr sum = ir::Var{name, type};
      const Expr differs = Binary{BinaryOp::ne, sum, sum};
      const Expr one = type.lanes == 1 ? differs : Expr(ir::Reduce{BinaryOp::bit_or, differs});
      any = any ? Expr(Binary{BinaryOp::bit_or, *any, one}) : one;
    }
    return *any;
  }

  struct Sum {
    ir::Type type;
    std::string name;
  };

  ir::Names names_;
  const Nans& nans_;
  bool checks_;
  ir::NameSet private_;
  std::vector<Sum> sums_;  // of what is loaded, one for each type
};

// What is loaded costs an addition, and each minimum saves two instructions; the body becomes
// twice as long, which should be worth it.
bool pays(double gained, double loads) { return gained > 0 && gained >= 2 * loads; }

constexpr std::array no_nans_parameters = {Parameter{
    no_nans_name, "1: minima and maxima are computed without nans, and again if there are", 0}};

double changes_at_best(const ir::Program& program) {
  return changes(program.body, Nans(program, Loaded::numbers));
}

void declare_no_nans(SpaceMaker& space) {
  constexpr double several = 4;
  const ir::Program program = ir::with_unique_names(space.program());
  const auto made = without_nans(program);
  if (!made || changes_at_best(program) < several) return;
  space.parameter(no_nans_name, std::array{0U, 1U});
  exclude_parts(space, no_nans_name);
  space.note_body(statement_count(made->body));
}

Result<ir::Program> take_no_nans(const ir::Program& program, const Schedule& schedule) {
  return schedule[no_nans_name] == 0 ? program : without_nans(program);
}

}  // namespace

constinit const Step no_nans_step = {.parameters = no_nans_parameters,
                                     .declare = declare_no_nans,
                                     .apply = take_no_nans,
                                     .favoured = 1U};

Result<ir::Program> without_nans(const ir::Program& program) {
  constexpr std::string_view what = "compute minima without nans";
  if (auto fine = check_one_stage(program, what); !fine) return Unexpected(fine.error());
  ir::Program made = ir::with_unique_names(program);
  const Nans sure(made, Loaded::may_be_nan);
  const Nans likely(made, Loaded::numbers);
  const ir::NameSet private_buffers = ir::private_names(made);
  const double without_check = changes(made.body, sure);
  const double gained = changes(made.body, likely) - without_check;
  const double loads =
      evaluations(made.body, [&](const Expr& e) { return loads_float(e, private_buffers); });
  const bool checks = pays(gained, loads) && can_repeat(made, private_buffers);
  if (!checks && without_check == 0) return refuse(what, "no operand is sure to be a number");
  made.body = Writer(made, checks ? likely : sure, checks).body(made.body);
  return finished(std::move(made), what);
}

}  // namespace vyre::schedule
