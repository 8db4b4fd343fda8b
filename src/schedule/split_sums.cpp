#include "schedule/split_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "ir/visit.h"
#include "schedule/accumulators.h"
#include "schedule/fission.h"
#include "schedule/loops.h"
#include "schedule/parameters.h"
#include "schedule/slice.h"
#include "schedule/space_maker.h"
#include "schedule/steps.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {
namespace {

using ir::Block;
using ir::Expr;
using ir::For;
using ir::Stmt;

constexpr std::string_view split_what = "split sums over workgroups";

// A dimension in which there is one invocation: x where there is only one at all, so that
// workgroups in x can be of some use, else y or z.
std::optional<std::uint8_t> free_dimension(const ir::Program& program) {
  const auto is_one = [&](std::size_t dim) { return ir::is_literal(program.grid[dim], 1); };
  if (is_one(0) && is_one(1) && is_one(2)) return std::uint8_t{0};
  constexpr std::array<std::uint8_t, 3> order = {1, 2, 0};
  const auto* found = std::ranges::find_if(order, is_one);
  return found == order.end() ? std::nullopt : std::optional(*found);
}

bool writes_memory(const Stmt& stmt) {
  return any_stmt(stmt, [](const Stmt& s) {
    return ir::is<ir::Store>(s) || ir::is<ir::AtomicAdd>(s) || ir::is<ir::Barrier>(s);
  });
}

// Makes both stages. Requires: unique names, independent invocations.
class SumSplitter {
 public:
  SumSplitter(const ir::Program& program, std::uint32_t groups, std::uint8_t dim)
      : program_(program), groups_(groups), dim_(dim), names_(program) {
    invocations_ = ir::literal(1U);
    number_ = ir::literal(0U);
    for (std::uint8_t d = 0; d < 3; ++d) {
      if (d == dim) continue;
      const Expr id = ir::Id{ir::IdKind::invocation, d};
      const bool one = ir::is_literal(program.grid[d], 1);
      if (!one) number_ = plus(times(invocations_, id), number_);
      invocations_ = times(invocations_, program.grid[d]);
    }
  }

  Result<SumStages> run() {
    for (std::size_t i = 0; i < program_.body.size(); ++i) {
      const auto* loop = ir::as<For>(program_.body[i]);
      if (loop == nullptr) {
        parts_.push_back(program_.body[i]);
        whole_.push_back(program_.body[i]);
      } else {
        take(*loop, i);
      }
    }
    if (partial_.empty()) {
      return refuse(split_what,
                    why_not_.empty() ? "there is no loop in its outermost block" : why_not_);
    }
    return SumStages{first_stage(), second_stage()};
  }

 private:
  void take(const For& loop, std::size_t at) {
    const auto found = accumulated(loop);
    const std::string why = found ? why_not_here(loop, *found, at) : found.error().message;
    if (why.empty()) {
      one_part(loop, *found, parts_);
      put_together(loop, *found);
      return;
    }
    if (why_not_.empty()) why_not_ = why;
    parts_.push_back(program_.body[at]);
    whole_.push_back(program_.body[at]);
  }

  Result<std::vector<Accumulator>> accumulated(const For& loop) const {
    const auto about = [&](std::string_view why) {
      return fail(ErrorKind::input, fmt::format("the loop over '{}' {}", loop.name, why));
    };
    if (!ir::is_literal(loop.step, 1)) return about("does not go in steps of one");
    if (writes_memory({loop})) return about("writes to memory");
    auto found = accumulators_in_any_order(loop, program_.reassociate);
    if (found && found->empty()) return about("accumulates nothing");
    return found;
  }

  // What the loop needs is computed again for each part, before anything is written.
  std::string why_not_here(const For& loop, const std::vector<Accumulator>& found,
                           std::size_t at) const {
    SumSplitter alone(*this);
    alone.partial_.clear();
    Block body(program_.body.begin(), program_.body.begin() + static_cast<std::ptrdiff_t>(at));
    const ir::NameSet written = written_buffers(body);
    alone.one_part(loop, found, body);
    const ir::Program needed = alone.sliced(std::move(body));
    const auto loops = std::ranges::count_if(needed.body, [](const Stmt& stmt) {
      return any_stmt(stmt, [](const Stmt& s) { return ir::is<For>(s) || ir::is<ir::While>(s); });
    });
    if (loops > 1) return fmt::format("the loop over '{}' needs another loop", loop.name);
    std::string why;
    for_each_expr(needed.body, [&](const Expr& e) {
      const auto* load = ir::as<ir::Load>(e);
      if (load == nullptr || !written.contains(load->buffer)) return;
      why = fmt::format("the loop over '{}' needs '{}', which is written before it", loop.name,
                        load->buffer);
    });
    return why;
  }

  [[nodiscard]] Expr place_of(const Expr& part) const {
    return plus(times(number_, ir::literal(groups_)), part);
  }

  // The loop over one part of its range, into variables of its own, which are stored.
  void one_part(const For& loop, const std::vector<Accumulator>& found, Block& into) {
    const Expr part = ir::Id{ir::IdKind::invocation, dim_};
    const Range range = range_of(loop, into);
    const Expr share = cast(range.share, loop.begin.type().scalar);
    const Expr first = named(plus(range.begin, times(cast(part, share.type().scalar), share)),
                             loop.name + "_first", names_, into);
    const ir::Var variable = {loop.name, loop.begin.type()};
    Block body = with_var(loop.body, loop.name, plus(first, variable));
    std::vector<std::string> variables;
    for (const Accumulator& one : found) {
      variables.push_back(names_.fresh(one.variable.name + "_part"));
      into.push_back({ir::Let{variables.back(), start_of_part(one), true}});
      body = with_accumulator(body, one.variable, variables.back());
    }
    into.push_back({For{loop.name, ir::zero(variable.type.scalar), share, loop.step, body}});
    for (std::size_t i = 0; i < found.size(); ++i) {
      const ir::Type type = found[i].variable.type;
      partial_.push_back({.name = names_.fresh("partial"),
                          .element = type.scalar,
                          .count = times(invocations_, ir::literal(groups_)),
                          .access = Access::write});
      into.push_back(
          {ir::Store{partial_.back().name, place_of(part), ir::Var{variables[i], type}}});
    }
  }

  static Expr cast(const Expr& e, Scalar to) {
    return e.type().scalar == to ? e : Expr(ir::Convert{to, e});
  }

  // The bounds of a loop, and how many of its iterations are of one part (u32). All parts are
  // alike, so that their accesses can be proved in bounds; fewer than there are parts are left
  // over. Nothing wraps, because no part leads beyond the end.
  struct Range {
    Expr begin, end, share;
  };
  Range range_of(const For& loop, Block& into) {
    const auto name = [&](const Expr& value, std::string_view what) {
      return named(value, fmt::format("{}_{}", loop.name, what), names_, into);
    };
    const Expr begin = name(loop.begin, "begin");
    const Expr end = name(loop.end, "end");
    const bool from_zero = end.type().scalar == Scalar::u32 && ir::is_literal(begin, 0);
    const Expr count =
        from_zero ? end
                  : Expr(ir::Select{compared(ir::BinaryOp::lt, begin, end),
                                    minus(cast(end, Scalar::u32), cast(begin, Scalar::u32)),
                                    ir::literal(0U)});
    return {begin, end, name(quotient(count, groups_), "share")};
  }

  void put_together(const For& loop, const std::vector<Accumulator>& found) {
    const Range range = range_of(loop, whole_);
    const std::string part = names_.fresh(loop.name + "_part");
    For made{part, ir::literal(0U), ir::literal(groups_), ir::literal(1U), {}};
    const std::size_t first = partial_.size() - found.size();
    for (std::size_t i = 0; i < found.size(); ++i) {
      const ir::Buffer& from = partial_[first + i];
      const Expr value =
          ir::Load{from.name, from.element, place_of(ir::Var{part, {Scalar::u32}}), 1};
      const ir::Var& to = found[i].variable;
      made.body.push_back({ir::Assign{to.name, ir::Binary{found[i].op, to, value}}});
    }
    whole_.push_back({std::move(made)});
    const Expr taken = cast(times(range.share, ir::literal(groups_)), range.begin.type().scalar);
    whole_.push_back({For{loop.name, plus(range.begin, taken), range.end, loop.step, loop.body}});
  }

  // Only what the partial accumulations need; with all buffers that others may name.
  [[nodiscard]] ir::Program sliced(Block body) const {
    ir::Program all = program_;
    all.body = std::move(body);
    all.buffers.insert(all.buffers.end(), partial_.begin(), partial_.end());
    Outputs outputs;
    for (const ir::Buffer& buffer : partial_) outputs.push_back(buffer.name);
    ir::Program made = slice_of(all, outputs);
    std::erase_if(all.buffers, [&](const ir::Buffer& b) {
      return b.memory != ir::Memory::global && find_buffer(made, b.name) == nullptr;
    });
    made.buffers = all.buffers;
    return made;
  }

  [[nodiscard]] ir::Program first_stage() const {
    ir::Program made = sliced(parts_);
    made.grid[dim_] = ir::literal(groups_);
    return made;
  }

  [[nodiscard]] ir::Program second_stage() const {
    ir::Program made = program_;
    made.body = whole_;
    for (ir::Buffer buffer : partial_) {
      buffer.access = Access::read;
      made.buffers.push_back(std::move(buffer));
    }
    for (std::size_t d = 0; d < 3; ++d) {
      const auto extent = ir::literal_bits(made.grid[d]);
      if (extent) made.workgroup[d] = std::min(made.workgroup[d], std::max(*extent, 1U));
    }
    return made;
  }

  ir::Program program_;
  std::uint32_t groups_;
  std::uint8_t dim_;
  ir::Names names_;
  Expr invocations_;  // of the program as it is
  Expr number_;       // of an invocation among them
  std::vector<ir::Buffer> partial_;
  Block parts_;
  Block whole_;
  std::string why_not_;
};

// Ids of a dimension in which there is one invocation.
Block without_dimension(const Block& body, std::uint8_t dim) {
  const Block numbered = with_id(body, {ir::IdKind::invocation, dim}, ir::literal(0U));
  return with_id(numbered, {ir::IdKind::grid, dim}, ir::literal(1U));
}

constexpr std::array split_sums_parameters = {
    Parameter{sum_groups_name,
              "workgroups that share each long sum, put together by a second "
              "stage"}};

// How often a loop in the outermost block runs at most, as far as uniforms tell.
std::uint64_t longest_loop(const SpaceMaker& space) {
  std::uint64_t longest = 0;
  const auto known = [&](const Expr& e) {
    const bool uniforms = !any_expr(e, [&](const Expr& part) {
      const auto* var = ir::as<ir::Var>(part);
      return var != nullptr && find_uniform(space.program(), var->name) == nullptr;
    });
    const bool is_size = uniforms && ir::why_not_size(e).empty();
    return is_size ? space.size_of(e) : ir::literal_bits(e);
  };
  for (const Stmt& stmt : space.program().body) {
    const auto* loop = ir::as<For>(stmt);
    if (loop == nullptr) continue;
    const auto begin = known(loop->begin);
    const auto end = known(loop->end);
    if (begin && end && *begin < *end) longest = std::max<std::uint64_t>(longest, *end - *begin);
  }
  return longest;
}

bool makes_parts(const Step* step) { return step == &fission_step || step->stages != nullptr; }

// Parts are long enough to be worth a launch, and no more than keep a device busy.
void declare_split_sums(SpaceMaker& space) {
  constexpr std::uint64_t least_loop = 1024;
  constexpr std::uint64_t least_part = 256;
  constexpr std::uint64_t most_for_unit = 64;
  const std::uint64_t longest = longest_loop(space);
  if (!space.independent() || longest < least_loop) return;
  const auto stages = sum_stages(space.program(), 2);
  if (!stages) return;
  const auto [x, y, z] = space.grid();
  const std::uint64_t most = most_for_unit * std::max(space.limits().compute_units, 1U);
  std::vector<std::uint32_t> values = {1};
  for (const std::uint32_t groups : {2U, 4U, 8U, 16U, 64U, 256U}) {
    const bool fits = longest / groups >= least_part && std::uint64_t{x} * y * z * groups <= most;
    if (fits) values.push_back(groups);
  }
  if (values.size() == 1) return;
  space.parameter(sum_groups_name, values);
  limit_to_first_stage(space, sum_groups_name, stages->parts);
  const bool in_x = x == 1 && y == 1 && z == 1;
  if (in_x && space.has(workgroup_names[0])) {
    space.constraint(fmt::format("{0} == 1 or {0} > {1}", sum_groups_name, workgroup_names[0]));
  }
}

Result<ir::Program> take_split_sums(const ir::Program& program, const Schedule& schedule) {
  const std::uint32_t groups = schedule[sum_groups_name];
  if (groups == 1) return program;
  VYRE_TRY(const SumStages stages, sum_stages(program, groups));
  return joined(program, stages);
}

// As many as fill a few cores, and vectors along the loop, which is the same as ever in its parts.
constexpr std::array<std::string_view, 1> split_sums_guesses = {
    "wg_x=1 contract=1 loop_vector=16 loop_parts=4 sum_groups=4"};

}  // namespace

constinit const Step split_sums_step = {.parameters = split_sums_parameters,
                                        .declare = declare_split_sums,
                                        .apply = take_split_sums,
                                        .guesses = split_sums_guesses,
                                        .stages = sum_stages};

Result<SumStages> sum_stages(const ir::Program& program, std::uint32_t groups) {
  constexpr std::uint32_t most_groups = 65536;
  if (auto fine = check_independent(program, split_what); !fine) return Unexpected(fine.error());
  if (groups < 2 || groups > most_groups) {
    return refuse(split_what, fmt::format("there are from 2 to {} of them", most_groups));
  }
  const auto dim = free_dimension(program);
  if (!dim) return refuse(split_what, "its grid has no dimension with the extent 1");
  ir::Program unique = with_unique_names(program);
  unique.body = without_dimension(unique.body, *dim);
  return SumSplitter(unique, groups, *dim).run();
}

void limit_to_first_stage(SpaceMaker& space, std::string_view groups, const ir::Program& parts) {
  const auto shape = launch_shape(parts, space.uniforms());
  if (!shape) return;
  SpaceMaker own(parts, space.limits(), *shape, space.uniforms());
  for (const Step* step : declared_steps()) {
    if (!makes_parts(step)) step->declare(own);
  }
  const Schedule initial;
  for (const space::Parameter& parameter : space.parameters()) {
    const bool of_workgroup =
        std::ranges::find(workgroup_names, parameter.name) != workgroup_names.end();
    if (of_workgroup || parameter.name == groups) continue;
    const space::Parameter* found = own.find(parameter.name);
    const std::vector<space::Value> one = {value_of(parameter.name, initial[parameter.name])};
    space.constraint(fmt::format("{} == 1 or {} in {}", groups, parameter.name,
                                 list_text(found == nullptr ? one : found->values)));
  }
}

void exclude_parts(SpaceMaker& space, std::string_view name) {
  const Schedule initial;
  for (const Step* step : declared_steps()) {
    const std::string_view maker = step->parameters.front().name;
    if (!makes_parts(step) || !space.has(maker)) continue;
    space.constraint(
        fmt::format("{} == {} or {} == {}", name, initial[name], maker, initial[maker]));
  }
}

Result<ir::Program> joined(const ir::Program& program, const SumStages& stages) {
  ir::Program made = stages.parts;
  made.other_workgroups.clear();
  ir::NameSet added;
  for (ir::Buffer& buffer : made.buffers) {
    if (find_buffer(program, buffer.name) != nullptr) continue;
    added.insert(buffer.name);
    if (find_buffer(stages.whole, buffer.name) == nullptr) continue;
    buffer.memory = ir::Memory::scratch;
    buffer.access = Access::read_write;
    buffer.nontemporal = false;
  }
  for (const ir::Buffer& buffer : stages.whole.buffers) {
    if (find_buffer(made, buffer.name) == nullptr) made.buffers.push_back(buffer);
  }
  ir::Names names(made);
  const auto local = [&](const std::string& name) {
    return added.contains(name) ? names.fresh(name) : name;
  };
  made.then.push_back(
      {stages.whole.grid, stages.whole.workgroup, renamed(stages.whole.body, {.local = local})});
  return finished(std::move(made), split_what);
}

}  // namespace vyre::schedule
