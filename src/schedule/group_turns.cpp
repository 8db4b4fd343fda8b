#include "schedule/group_turns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "ir/fold.h"
#include "ir/grouping.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "schedule/listed_workgroups.h"
#include "schedule/loops.h"
#include "schedule/space_maker.h"

namespace vyre::schedule {
namespace {

using ir::Expr;
using ir::Id;
using ir::IdKind;

class Turner {
 public:
  Turner(ir::Program program, std::uint32_t turns)
      : program_(std::move(program)),
        names_(program_),
        dim_(static_cast<std::uint8_t>(turned_dimension(program_))),
        turns_(turns),
        extent_(program_.grid[dim_]) {}

  ir::Program run() {
    const Expr extent_of_group = Id{IdKind::workgroup, dim_};
    const Expr all = ir::Binary{ir::BinaryOp::div, extent_, extent_of_group};
    ir::Block body;
    const Expr groups = named(all, fmt::format("groups_{}", axis()), names_, body);
    const Expr first =
        named(times(Id{IdKind::group, dim_}, ir::literal(turns_)), "first", names_, body);
    const Expr end = minimum(plus(first, ir::literal(turns_)), groups);
    body.push_back({turn(first, end, groups)});
    program_.grid[dim_] = times(ceil_div(all, turns_), extent_of_group);
    program_.body = std::move(body);
    return in_own_workgroup(std::move(program_));
  }

 private:
  [[nodiscard]] char axis() const { return "xyz"[dim_]; }

  // The body as it was, for the group whose turn it is.
  ir::For turn(const Expr& first, const Expr& end, const Expr& groups) {
    ir::For loop{names_.fresh("turn"), first, end, ir::literal(1U), {}};
    const Expr group = ir::Var{loop.name, {Scalar::u32}};
    const Expr own = plus(times(group, Id{IdKind::workgroup, dim_}), Id{IdKind::local, dim_});
    const Expr place = named(own, fmt::format("place_{}", axis()), names_, loop.body);
    ir::Block body = replaced(program_.body, [&](const Expr& e) -> std::optional<Expr> {
      const auto* id = ir::as<Id>(e);
      if (id == nullptr || id->dim != dim_) return std::nullopt;
      if (id->kind == IdKind::invocation) return place;
      if (id->kind == IdKind::group) return group;
      if (id->kind == IdKind::groups) return groups;
      return id->kind == IdKind::grid ? std::optional(extent_) : std::nullopt;
    });
    loop.body.insert(loop.body.end(), body.begin(), body.end());
    if (shares_memory()) loop.body.push_back({ir::Barrier{}});
    return loop;
  }

  [[nodiscard]] bool shares_memory() const {
    return std::ranges::find(program_.buffers, ir::Memory::shared, &ir::Buffer::memory) !=
           program_.buffers.end();
  }

  ir::Program program_;
  ir::Names names_;
  std::uint8_t dim_;
  std::uint32_t turns_;
  Expr extent_;  // of the grid as it was
};

constexpr std::array group_turns_parameters = {
    Parameter{group_turns_name, "neighbouring workgroups whose work one does, in turn"}};

// On a CPU one core does all of a group: the first puts vectors in the place of its invocations,
// the second leaves nobody to wait for.
constexpr std::array<std::string_view, 2> group_turns_guesses = {"vector=16 items_y=4 order=jammed",
                                                                 "wg_x=1 wg_y=1 wg_z=1"};

void declare_group_turns(SpaceMaker& space) {
  if (!has_barrier(space.program().body)) return;
  const std::uint32_t groups = space.shape().groups[turned_dimension(space.program())];
  std::vector<std::uint32_t> values;
  for (const std::uint32_t turns : {1U, 2U, 4U, 8U, 16U, 64U}) {
    if (turns <= groups) values.push_back(turns);
  }
  if (values.size() > 1) space.parameter(group_turns_name, values);
}

Result<ir::Program> take_group_turns(const ir::Program& program, const Schedule& schedule) {
  return with_group_turns(program, schedule[group_turns_name]);
}

}  // namespace

constinit const Step group_turns_step = {.parameters = group_turns_parameters,
                                         .declare = declare_group_turns,
                                         .apply = take_group_turns,
                                         .guesses = group_turns_guesses};

std::size_t turned_dimension(const ir::Program& program) {
  for (std::uint8_t dim = 0; dim < 3; ++dim) {
    const Expr& extent = program.grid[dim];
    const bool is_one_group =
        extent == ir::literal(program.workgroup[dim]) || extent == Expr(Id{IdKind::workgroup, dim});
    if (!is_one_group) return dim;
  }
  return 0;
}

Result<ir::Program> with_group_turns(const ir::Program& program, std::uint32_t turns) {
  if (turns == 1) return program;
  const std::string what = fmt::format("let each workgroup take {} turns", turns);
  if (turns == 0) return refuse(what, "there is at least one");
  if (!has_barrier(program.body)) {
    return refuse(what, "there is no barrier, so invocations can be given more items instead");
  }
  return finished(Turner(with_unique_names(program), turns).run(), what);
}

}  // namespace vyre::schedule
