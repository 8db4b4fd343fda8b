#include "schedule/scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "schedule/group_walk.h"
#include "schedule/loops.h"
#include "schedule/private_arrays.h"
#include "schedule/privatise.h"
#include "schedule/space_maker.h"

namespace vyre::schedule {
namespace {

using ir::AtomicAdd;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::For;
using ir::Stmt;

constexpr std::string_view scatter_what = "add to copies in stages";
constexpr std::uint32_t most_scattered = 1U << 26U;  // elements of an array
constexpr ir::Id own_x = {ir::IdKind::invocation, 0};

// Makes both stages. Requires: unique names, independent invocations.
class Scatter {
 public:
  Scatter(const ir::Program& program, const std::vector<ir::Buffer>& arrays, std::uint32_t groups)
      : program_(program), groups_(groups), names_(program) {
    for (const ir::Buffer& array : arrays) {
      copies_.push_back({array,
                         {.name = names_.fresh("partial"),
                          .element = array.element,
                          .count = times(array.count, ir::literal(groups)),
                          .access = Access::read_write},
                         {}});
    }
  }

  SumStages run() {
    ir::Program first = first_stage();
    return {std::move(first), second_stage()};
  }

 private:
  // An array, what groups have in its place one after the other, and where a group's begins.
  struct Copies {
    ir::Buffer array;
    ir::Buffer partial;
    Expr base;
  };

  ir::Program first_stage() {
    ir::Program made = with_partial(Access::read_write);
    made.grid = {ir::literal(groups_), ir::literal(1U), ir::literal(1U)};
    made.body.clear();
    for (Copies& one : copies_) {
      one.base = named(times(own_x, one.array.count), "base", names_, made.body);
      made.body.push_back({zeroed(one)});
    }
    const GroupWalk walk = walked_by_groups(program_, {1, 1, 1}, groups_, names_);
    const Block own = with_id(with_copies(walk.body), {ir::IdKind::group, 0}, own_x);
    made.body.insert(made.body.end(), own.begin(), own.end());
    return made;
  }

  [[nodiscard]] ir::Program with_partial(Access access) const {
    ir::Program made = program_;
    for (const Copies& one : copies_) {
      made.buffers.push_back(one.partial);
      made.buffers.back().access = access;
    }
    return made;
  }

  For zeroed(const Copies& one) {
    const ir::Var element = {names_.fresh("element"), {Scalar::u32}};
    const Stmt zero = {
        ir::Store{one.partial.name, plus(one.base, element), ir::zero(one.partial.element)}};
    return {element.name, ir::literal(0U), one.array.count, ir::literal(1U), {zero}};
  }

  Block with_copies(const Block& body) {
    return map_stmts(body, [&](Stmt stmt, Block& into) {
      const auto* atomic = ir::as<AtomicAdd>(stmt);
      const auto found = atomic == nullptr ? copies_.end() : copies_of(atomic->buffer);
      if (found == copies_.end()) return into.push_back(std::move(stmt));
      const Expr at = named(plus(found->base, atomic->index), "at", names_, into);
      const Expr before = ir::Load{found->partial.name, found->partial.element, at};
      const Expr sum = ir::Binary{BinaryOp::add, before, atomic->value};
      into.push_back({ir::Store{found->partial.name, at, sum}});
      into.back().place = stmt.place;
    });
  }

  std::vector<Copies>::iterator copies_of(const std::string& array) {
    return std::ranges::find(copies_, array, [](const Copies& c) { return c.array.name; });
  }

  // An invocation for each element, of the longest array.
  ir::Program second_stage() {
    ir::Program made = with_partial(Access::read);
    Expr longest = copies_.front().array.count;
    for (const Copies& one : copies_) longest = maximum(longest, one.array.count);
    made.grid = {longest, ir::literal(1U), ir::literal(1U)};
    made.workgroup = {64, 1, 1};
    made.body.clear();
    for (const Copies& one : copies_) {
      Block merged = merge(one);
      if (one.array.count != longest) {
        merged = {{ir::If{compared(BinaryOp::lt, own_x, one.array.count), merged, {}}}};
      }
      made.body.insert(made.body.end(), merged.begin(), merged.end());
    }
    return made;
  }

  Block merge(const Copies& one) {
    const Expr sum = ir::Var{names_.fresh("sum"), {one.array.element}};
    const ir::Var group = {names_.fresh("copy"), {Scalar::u32}};
    const Expr at = plus(times(group, one.array.count), own_x);
    const Expr part = ir::Load{one.partial.name, one.partial.element, at};
    const Stmt add = {ir::Assign{ir::as<ir::Var>(sum)->name, ir::Binary{BinaryOp::add, sum, part}}};
    const Expr before = ir::Load{one.array.name, one.array.element, own_x};
    return {{ir::Let{ir::as<ir::Var>(sum)->name, before, true}},
            {For{group.name, ir::literal(0U), ir::literal(groups_), ir::literal(1U), {add}}},
            {ir::Store{one.array.name, own_x, sum}}};
  }

  const ir::Program& program_;
  std::uint32_t groups_;
  ir::Names names_;
  std::vector<Copies> copies_;
};

constexpr std::array scatter_parameters = {Parameter{
    scatter_name, "invocations with copies of a large array that is added to by atomics"}};

// A group adds at least a fourth as often as it has elements to clear and to merge.
void declare_scatter(SpaceMaker& space) {
  if (!space.independent() || space.has(private_name)) return;
  const auto stages = scatter_stages(space.program(), 2);
  if (!stages) return;
  const auto room = space.size_of(stages->whole.grid[0]);
  if (!room) return;
  const auto [x, y, z] = space.grid();
  const std::uint64_t items = std::uint64_t{x} * y * z;
  constexpr std::uint64_t least_items = 1U << 16U;
  constexpr std::uint32_t most_for_unit = 8;
  std::vector<std::uint32_t> values = {1};
  for (const std::uint32_t groups : {2U, 4U, 8U, 16U, 64U, 256U, 1024U}) {
    const bool fits = items >= least_items && std::uint64_t{*room} * groups <= 4 * items;
    if (fits && groups <= most_for_unit * space.limits().compute_units) values.push_back(groups);
  }
  if (values.size() == 1) return;
  space.parameter(scatter_name, values);
  limit_to_first_stage(space, scatter_name, stages->parts);
}

Result<ir::Program> take_scatter(const ir::Program& program, const Schedule& schedule) {
  const std::uint32_t groups = schedule[scatter_name];
  if (groups == 1) return program;
  VYRE_TRY(const SumStages stages, scatter_stages(program, groups));
  return joined(program, stages);
}

// Few, so that copies stay in caches.
constexpr std::array<std::string_view, 1> scatter_guesses = {"wg_x=1 scatter_groups=4"};

}  // namespace

constinit const Step scatter_step = {.parameters = scatter_parameters,
                                     .declare = declare_scatter,
                                     .apply = take_scatter,
                                     .guesses = scatter_guesses,
                                     .stages = scatter_stages};

Result<SumStages> scatter_stages(const ir::Program& program, std::uint32_t groups) {
  constexpr std::uint32_t most_groups = 65536;
  if (auto fine = check_independent(program, scatter_what); !fine) return Unexpected(fine.error());
  if (groups < 2 || groups > most_groups) {
    return refuse(scatter_what, fmt::format("there are from 2 to {} groups", most_groups));
  }
  const ir::Program unique = ir::with_unique_names(program);
  VYRE_TRY(const auto arrays, private_arrays(unique, scatter_what, most_scattered));
  return Scatter(unique, arrays, groups).run();
}

}  // namespace vyre::schedule
