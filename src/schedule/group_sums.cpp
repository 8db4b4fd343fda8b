#include "schedule/group_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "schedule/coarsen.h"
#include "schedule/element_sums.h"
#include "schedule/gather.h"
#include "schedule/group_loop.h"
#include "schedule/loops.h"
#include "schedule/private_arrays.h"
#include "schedule/privatise.h"
#include "schedule/space_maker.h"
#include "schedule/tile.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {
namespace {

using ir::AtomicAdd;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Id;
using ir::IdKind;
using ir::Stmt;

constexpr std::size_t most_sums = 16;

class GroupSummer {
 public:
  GroupSummer(ir::Program program, const Extent& workgroup)
      : program_(std::move(program)),
        workgroup_(workgroup),
        extent_(program_.grid),
        names_(program_),
        sums_(names_) {
    for (const ir::Buffer& buffer : program_.buffers) {
      if (check_only_added_to(program_, buffer, "").has_value()) free_.insert(buffer.name);
    }
    for_each_stmt(program_.body, [&](const Stmt& stmt) {
      const auto* let = ir::as<ir::Let>(stmt);
      if (let != nullptr && !let->is_mutable) lets_.emplace(let->name, expanded(let->value));
    });
  }

  // None where no atomic goes to an element that is the same for all of a group.
  std::optional<ir::Program> run() {
    Block items = with_sums(std::move(program_.body));
    if (sums_.sums().empty() || sums_.sums().size() > most_sums) return std::nullopt;
    program_.body.clear();
    sums_.declare(program_.body);
    in_whole_groups(std::move(items));
    share();
    add_up();
    return std::move(program_);
  }

 private:
  void add(Stmt stmt) { program_.body.push_back(std::move(stmt)); }

  // The extent of the grid as it was, in place of its id.
  [[nodiscard]] std::optional<Expr> in_grid(const Expr& e) const {
    const auto* id = ir::as<Id>(e);
    if (id == nullptr || id->kind != IdKind::grid) return std::nullopt;
    return extent_[id->dim];
  }

  // With the values of lets in place of their names.
  [[nodiscard]] Expr expanded(const Expr& expr) const {
    return replaced(expr, [&](const Expr& e) {
      const auto* var = ir::as<ir::Var>(e);
      const auto found = var == nullptr ? lets_.end() : lets_.find(var->name);
      return found == lets_.end() ? in_grid(e) : std::optional(found->second);
    });
  }

  // Known before the body and the same for all of a group.
  [[nodiscard]] bool is_same_for_all(const Expr& index) const {
    return !any_expr(index, [&](const Expr& e) {
      if (const auto* var = ir::as<ir::Var>(e)) return find_uniform(program_, var->name) == nullptr;
      const auto* id = ir::as<Id>(e);
      if (id == nullptr) return ir::is<ir::Load>(e);
      return id->kind == IdKind::invocation && workgroup_[id->dim] > 1;
    });
  }

  Block with_sums(Block body) {
    return map_stmts(std::move(body), [&](Stmt stmt, Block& into) {
      const auto* atomic = ir::as<AtomicAdd>(stmt);
      if (atomic == nullptr || !free_.contains(atomic->buffer)) {
        return into.push_back(std::move(stmt));
      }
      const Expr index = expanded(atomic->index);
      if (!is_same_for_all(index)) return into.push_back(std::move(stmt));
      into.push_back(sums_.added({atomic->buffer, index, atomic->value}));
    });
  }

  // Who is beyond the grid as it was does nothing and adds nothing.
  void in_whole_groups(Block items) {
    std::optional<Expr> inside;
    for (std::uint8_t dim = 0; dim < 3; ++dim) {
      const auto known = literal_bits(extent_[dim]);
      const std::uint32_t group = workgroup_[dim];
      if (group == 1 || (known && *known % group == 0)) continue;
      program_.grid[dim] = times(ceil_div(extent_[dim], group), ir::literal(group));
      const Expr here = compared(BinaryOp::lt, Id{IdKind::invocation, dim}, extent_[dim]);
      inside = inside ? both(*inside, here) : here;
    }
    program_.workgroup = workgroup_;
    items = replaced(items, [&](const Expr& e) { return in_grid(e); });
    if (inside) return add({ir::If{*inside, std::move(items), {}}});
    program_.body.insert(program_.body.end(), items.begin(), items.end());
  }

  [[nodiscard]] static Expr element_of(const ir::Buffer& shared, const Expr& index) {
    return ir::Load{shared.name, shared.element, index};
  }

  // Every invocation puts its sums where all of the group see them.
  void share() {
    const std::uint32_t size = group_size(workgroup_);
    for (const ElementSums::Sum& sum : sums_.sums()) {
      shared_.push_back({names_.fresh("group_" + sum.buffer), sum.scalar(), ir::literal(size),
                         Access::read_write, ir::Memory::shared});
      program_.buffers.push_back(shared_.back());
    }
    number_ = named(number_in_group(workgroup_), "number", names_, program_.body);
    for (std::size_t i = 0; i < shared_.size(); ++i) {
      add({ir::Store{shared_[i].name, number_, sums_.sums()[i].total()}});
    }
    add({ir::Barrier{}});
  }

  // The upper half is added to the lower one, until one element is left. Its invocation wrote it.
  void add_up() {
    for (std::uint32_t count = group_size(workgroup_); count > 1;) {
      const std::uint32_t half = (count + 1) / 2;
      add({ir::If{compared(BinaryOp::lt, number_, ir::literal(count - half)), level(half), {}}});
      if (half > 1) add({ir::Barrier{}});
      count = half;
    }
    Block last;
    for (std::size_t i = 0; i < shared_.size(); ++i) {
      const ElementSums::Sum& sum = sums_.sums()[i];
      const Expr total = named(element_of(shared_[i], ir::literal(0U)), "total", names_, last);
      last.push_back(added_if_any(sum.buffer, sum.index, total));
    }
    add({ir::If{compared(BinaryOp::eq, number_, ir::literal(0U)), std::move(last), {}}});
  }

  [[nodiscard]] Block level(std::uint32_t half) const {
    Block made;
    for (const ir::Buffer& shared : shared_) {
      const Expr other = element_of(shared, plus(number_, ir::literal(half)));
      made.push_back({ir::Store{shared.name, number_,
                                ir::Binary{BinaryOp::add, element_of(shared, number_), other}}});
    }
    return made;
  }

  ir::Program program_;
  Extent workgroup_;
  std::array<Expr, 3> extent_;  // of the grid as it was
  ir::Names names_;
  ElementSums sums_;
  ir::NameSet free_;                            // arrays that are only added to
  std::unordered_map<std::string, Expr> lets_;  // expanded
  std::vector<ir::Buffer> shared_;              // one for each sum
  Expr number_;                                 // of an invocation in its group
};

constexpr std::array tree_parameters = {
    Parameter{tree_name, "1: a workgroup adds up what goes to one element, and adds it once", 0}};

// The dimensions along which a group can add up; others must not be in a group.
Extent summed_dimensions(const SpaceMaker& space) {
  Extent group = {1, 1, 1};
  for (std::size_t dim = 0; dim < 3; ++dim) {
    if (!space.has(workgroup_names[dim]) || space.grid()[dim] == 1) continue;
    Extent wider = group;
    wider[dim] = 2;
    if (with_group_sums(space.program(), wider)) group = wider;
  }
  return group;
}

// For each invocation of a group.
std::size_t shared_bytes(const SpaceMaker& space, const Extent& group) {
  const auto made = with_group_sums(space.program(), group);
  std::size_t bytes = 0;
  for (const ir::Buffer& buffer : made->buffers) {
    if (buffer.memory == ir::Memory::shared) bytes += storage_bytes(buffer.element);
  }
  return bytes;
}

void constrain_tree(SpaceMaker& space, const Extent& group) {
  std::string size;
  for (std::size_t dim = 0; dim < 3; ++dim) {
    const std::string_view extent = workgroup_names[dim];
    if (!space.has(extent)) continue;
    if (group[dim] > 1) {
      size += fmt::format("{}{}", size.empty() ? "" : " * ", extent);
      continue;
    }
    space.constraint(fmt::format("{} == 0 or {} == 1", tree_name, extent));
    if (!space.has(items_names[dim])) continue;
    space.constraint(fmt::format("{} == 0 or {} == 1", tree_name, items_names[dim]));
  }
  space.constraint(fmt::format("{} == 0 or {} > 1", tree_name, size));
  space.constraint(fmt::format("{} == 0 or {} * {} <= {}", tree_name, shared_bytes(space, group),
                               size, space.limits().shared_bytes));
}

// A tree gathers by itself, and stands in the way of other steps that have barriers.
void declare_tree(SpaceMaker& space) {
  if (!space.independent()) return;
  const Extent group = summed_dimensions(space);
  if (group_size(group) == 1) return;
  space.parameter(tree_name, std::array{0U, 1U});
  constrain_tree(space, group);
  for (const std::string_view other : {gather_name, tile_name}) {
    if (space.has(other)) space.constraint(fmt::format("{} == 0 or {} == 0", tree_name, other));
  }
  if (!space.has(private_name)) return;
  space.constraint(fmt::format("{} == 0 or {} == '{}'", tree_name, private_name, copies_words[0]));
}

Result<ir::Program> take_tree(const ir::Program& program, const Schedule& schedule) {
  if (schedule[tree_name] == 0) return program;
  return with_group_sums(program, workgroup_of(schedule));
}

}  // namespace

constinit const Step group_sums_step = {tree_parameters, declare_tree, take_tree};

Result<ir::Program> with_group_sums(const ir::Program& program, Extent workgroup) {
  const std::string what = fmt::format("add up in groups of {}", fmt::join(workgroup, " x "));
  if (std::ranges::find(workgroup, 0U) != workgroup.end() || group_size(workgroup) == 1) {
    return refuse(what, "there are at least two invocations to add up");
  }
  if (auto fine = check_independent(program, what); !fine) return Unexpected(fine.error());
  auto made = GroupSummer(with_unique_names(program), workgroup).run();
  if (made) return finished(*std::move(made), what);
  return refuse(what,
                fmt::format("atomics of a group go to none, or to more than {}, elements that all "
                            "of it add to, in arrays that are accessed in no other way",
                            most_sums));
}

}  // namespace vyre::schedule
