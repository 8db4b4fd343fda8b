#include "schedule/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "ir/stride.h"
#include "ir/varying.h"
#include "ir/visit.h"
#include "schedule/accumulators.h"
#include "schedule/fission.h"
#include "schedule/loops.h"
#include "schedule/slice.h"
#include "schedule/space_maker.h"

namespace vyre::schedule {
namespace {

using ir::Block;
using ir::Expr;
using ir::For;
using ir::Stmt;

constexpr std::string_view sweep_what = "pass over rows and columns at once";
constexpr ir::Id invocation_x = {ir::IdKind::invocation, 0};

bool is_line(const ir::Program& program) {
  return ir::is_literal(program.grid[1], 1) && ir::is_literal(program.grid[2], 1);
}

bool is_over(const For& loop, const Expr& count) {
  return loop.begin.type() == ir::Type{Scalar::u32} && ir::is_literal(loop.begin, 0) &&
         ir::is_literal(loop.step, 1) && loop.end == count;
}

// The place of the first loop in the outermost block over so many; the block's size if none is.
std::size_t loop_over(const Block& body, const Expr& count) {
  const auto found = std::ranges::find_if(body, [&](const Stmt& stmt) {
    const auto* loop = ir::as<For>(stmt);
    return loop != nullptr && is_over(*loop, count);
  });
  return static_cast<std::size_t>(found - body.begin());
}

// Whether the loop goes along rows: it accesses neighbouring elements of a row that is the
// invocation's own.
bool goes_along_rows(const ir::Program& part, const For& loop) {
  const ir::Varying along_x(part.body, 0, ir::private_names(part));
  const ir::Varying varying(loop.body, {loop.name});
  const ir::Strides strides(loop.body, varying, ir::Var{loop.name, loop.begin.type()});
  return any_expr(loop.body, [&](const Expr& e) {
    const auto* load = ir::as<ir::Load>(e);
    return load != nullptr && strides.is(load->index, 1) && along_x.varies(load->index);
  });
}

// The body with the invocation's number, in x, being another, and the grid what it was.
Block numbered(const Block& body, const ir::Program& part, const Expr& number) {
  return with_id(with_id(body, invocation_x, number), {ir::IdKind::grid, 0}, part.grid[0]);
}

// Makes both stages. Requires: both parts in one dimension, of one program with unique names, each
// with a loop over the invocations of the other.
class Sweep {
 public:
  Sweep(const ir::Program& program, const ir::Program& rows, const ir::Program& columns,
        std::uint32_t groups)
      : program_(program),
        rows_(rows),
        columns_(columns),
        groups_(groups),
        names_(program),
        along_(loop_over(rows.body, columns.grid[0])),
        across_(loop_over(columns.body, rows.grid[0])) {}

  Result<SumStages> run() {
    if (const auto fine = find_sums(); !fine) return Unexpected(fine.error());
    if (const std::string why = why_not(); !why.empty()) return refuse(sweep_what, why);
    columns_.body = copy_of(columns_.body, names_);  // parts may have statements in common
    if (const auto fine = find_sums(); !fine) return Unexpected(fine.error());
    for (const Accumulator& sum : sums_) {
      partial_.push_back({.name = names_.fresh("partial"),
                          .element = sum.variable.type.scalar,
                          .count = times(columns_.grid[0], ir::literal(groups_)),
                          .access = Access::read_write});
    }
    return SumStages{first_stage(), second_stage()};
  }

 private:
  [[nodiscard]] const For& across() const { return *ir::as<For>(columns_.body[across_]); }

  Result<void> find_sums() {
    auto found = accumulators_in_any_order(across(), program_.reassociate);
    if (!found) return refuse(sweep_what, found.error().message);
    sums_ = *std::move(found);
    return {};
  }

  [[nodiscard]] std::string why_not() const {
    const std::string loop = fmt::format("the loop over '{}'", across().name);
    if (sums_.empty() || !written_buffers(across().body).empty()) {
      return loop + " does more than to add up";
    }
    for (const Accumulator& sum : sums_) {
      if (sum.op != ir::BinaryOp::add || sum.variable.type.lanes != 1) {
        return fmt::format("'{}' is no sum", sum.variable.name);
      }
    }
    const bool global = std::ranges::all_of(
        columns_.buffers, [](const ir::Buffer& b) { return b.memory == ir::Memory::global; });
    const bool plain = std::ranges::all_of(before_columns(), [](const Stmt& stmt) {
      const auto* let = ir::as<ir::Let>(stmt);
      return let != nullptr && !let->is_mutable;
    });
    if (!global || !plain) return loop + " needs more than values that are named before it";
    return {};
  }

  // What the loop of the columns needs of the statements before it, but for the sums themselves.
  [[nodiscard]] Block before_columns() const {
    ir::NameSet needed;
    const auto need = [&](const Expr& e) {
      if (const auto* var = ir::as<ir::Var>(e)) needed.insert(var->name);
    };
    for_each_expr(across().body, need);
    for (const Accumulator& sum : sums_) needed.erase(sum.variable.name);
    Block made;
    for (std::size_t i = across_; i-- > 0;) {
      const Stmt& stmt = columns_.body[i];
      const ir::NameSet assigned = ir::assigned_names({stmt});
      const auto* let = ir::as<ir::Let>(stmt);
      const bool is_needed =
          (let != nullptr && needed.contains(let->name)) ||
          std::ranges::any_of(assigned, [&](const auto& name) { return needed.contains(name); }) ||
          !written_buffers({stmt}).empty();
      if (!is_needed) continue;
      for_each_expr(stmt, need);
      made.insert(made.begin(), stmt);
    }
    return made;
  }

  // What is done for one element: the column `column` takes what it needs of the row `row`.
  Block add_to_column(const Expr& column, const Expr& row, const Expr& base) {
    Block made = before_columns();
    const Expr at = plus(base, column);
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const Expr before = ir::Load{partial_[i].name, partial_[i].element, at};
      made.push_back({ir::Let{sums_[i].variable.name, before, true}});
    }
    made.insert(made.end(), across().body.begin(), across().body.end());
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      made.push_back({ir::Store{partial_[i].name, at, sums_[i].variable}});
    }
    made = with_var(copy_of(made, names_), across().name, row);
    return numbered(made, columns_, column);
  }

  // All sums of columns that a group has begin with zero.
  For zeroed(const Expr& base) {
    const ir::Var column = {names_.fresh("column"), {Scalar::u32}};
    For made{column.name, ir::literal(0U), columns_.grid[0], ir::literal(1U), {}};
    for (const ir::Buffer& buffer : partial_) {
      made.body.push_back({ir::Store{buffer.name, plus(base, column), ir::zero(buffer.element)}});
    }
    return made;
  }

  [[nodiscard]] ir::Program with_partial(Access access) const {
    ir::Program made = program_;
    for (ir::Buffer buffer : partial_) {
      buffer.access = access;
      made.buffers.push_back(std::move(buffer));
    }
    return made;
  }

  ir::Program first_stage() {
    ir::Program made = with_partial(Access::read_write);
    made.grid = {ir::literal(groups_), ir::literal(1U), ir::literal(1U)};
    const Expr group = invocation_x;
    const Expr count = rows_.grid[0];
    Block body;
    const Expr share = named(quotient(count, groups_), "share", names_, body);
    const Expr first = named(times(group, share), "first", names_, body);
    const Expr base = named(times(group, columns_.grid[0]), "base", names_, body);
    body.push_back({zeroed(base)});
    const ir::Var row = {names_.fresh("row"), {Scalar::u32}};
    Block inner = numbered(rows_.body, rows_, row);
    For& loop = *ir::as<For>(inner[along_]);
    const Block column = add_to_column(ir::Var{loop.name, {Scalar::u32}}, row, base);
    loop.body.insert(loop.body.end(), column.begin(), column.end());
    const Expr is_last = compared(ir::BinaryOp::eq, group, ir::literal(groups_ - 1));
    const Expr end = ir::Select{is_last, count, plus(first, share)};  // nothing wraps
    body.push_back({For{row.name, first, end, ir::literal(1U), std::move(inner)}});
    made.body = std::move(body);
    return made;
  }

  // The columns as ever, but that their loop adds up what the groups have.
  ir::Program second_stage() {
    ir::Program made = with_partial(Access::read);
    made.body = columns_.body;
    const ir::Var group = {names_.fresh("group"), {Scalar::u32}};
    For loop{group.name, ir::literal(0U), ir::literal(groups_), ir::literal(1U), {}};
    const Expr at = plus(times(group, columns_.grid[0]), invocation_x);
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const Expr part = ir::Load{partial_[i].name, partial_[i].element, at};
      const ir::Var& sum = sums_[i].variable;
      loop.body.push_back({ir::Assign{sum.name, ir::Binary{ir::BinaryOp::add, sum, part}}});
    }
    made.body[across_] = {std::move(loop)};
    return made;
  }

  ir::Program program_, rows_, columns_;
  std::uint32_t groups_;
  ir::Names names_;
  std::size_t along_, across_;
  std::vector<Accumulator> sums_;  // of the columns
  std::vector<ir::Buffer> partial_;
};

constexpr std::array sweep_parameters = {
    Parameter{sweep_name, "groups of rows that are passed over once, for columns too"}};

// Where a matrix is large enough that it matters how often it is read.
void declare_sweep(SpaceMaker& space) {
  constexpr std::uint64_t least_elements = 1U << 20U;
  constexpr std::uint32_t most_for_unit = 16;
  const std::uint64_t side = space.grid()[0];
  if (!space.independent() || side * side < least_elements) return;
  const auto stages = sweep_stages(space.program(), 2);
  if (!stages) return;
  std::vector<std::uint32_t> values = {1};
  for (const std::uint32_t groups : {2U, 4U, 8U, 16U, 64U, 256U, 1024U}) {
    const bool fits = groups * 16 <= side;
    if (fits && groups <= most_for_unit * space.limits().compute_units) values.push_back(groups);
  }
  if (values.size() == 1) return;
  space.parameter(sweep_name, values);
  limit_to_first_stage(space, sweep_name, stages->parts);
}

Result<ir::Program> take_sweep(const ir::Program& program, const Schedule& schedule) {
  const std::uint32_t groups = schedule[sweep_name];
  if (groups == 1) return program;
  VYRE_TRY(const SumStages stages, sweep_stages(program, groups));
  return joined(program, stages);
}

constexpr std::array<std::string_view, 1> sweep_guesses = {
    "wg_x=1 contract=1 loop_vector=16 sweep_groups=4"};

}  // namespace

constinit const Step sweep_step = {.parameters = sweep_parameters,
                                   .declare = declare_sweep,
                                   .apply = take_sweep,
                                   .guesses = sweep_guesses,
                                   .stages = sweep_stages};

Result<SumStages> sweep_stages(const ir::Program& program, std::uint32_t groups) {
  constexpr std::uint32_t most_groups = 65536;
  if (groups < 2 || groups > most_groups) {
    return refuse(sweep_what, fmt::format("there are from 2 to {} groups of rows", most_groups));
  }
  const ir::Program unique = ir::with_unique_names(program);
  VYRE_TRY(const Parts parts, parts_of(unique));
  if (!is_line(unique)) return refuse(sweep_what, "its grid has more than one dimension");
  std::array<bool, 2> along = {};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t at = loop_over(parts[i].body, parts[1 - i].grid[0]);
    if (at == parts[i].body.size()) {
      return refuse(sweep_what, "its two parts have no loops over the invocations of each other");
    }
    along[i] = goes_along_rows(parts[i], *ir::as<For>(parts[i].body[at]));
  }
  if (along[0] == along[1]) {
    return refuse(sweep_what, "it does not have a part for rows and one for columns");
  }
  const std::size_t rows = along[0] ? 0 : 1;
  return Sweep(unique, parts[rows], parts[1 - rows], groups).run();
}

}  // namespace vyre::schedule
