#include "schedule/privatise.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "schedule/element_sums.h"
#include "schedule/group_loop.h"
#include "schedule/group_walk.h"
#include "schedule/loops.h"
#include "schedule/private_arrays.h"
#include "schedule/space_maker.h"
#include "schedule/tile.h"
#include "schedule/workgroup.h"
#include "vyre/ir/size.h"

namespace vyre::schedule {
namespace {

using ir::AtomicAdd;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Stmt;

// An array and what a group has in its place.
struct PrivateArray {
  ir::Buffer array;
  std::string copy;
};

class Privatiser {
 public:
  Privatiser(ir::Program program, const Privatising& how, const std::vector<ir::Buffer>& arrays)
      : program_(std::move(program)),
        how_(how),
        copies_(how.copies == Copies::invocation ? group_size(how.workgroup) : 1),
        names_(program_) {
    for (const ir::Buffer& array : arrays) {
      arrays_.push_back({array, names_.fresh("private_" + array.name)});
    }
  }

  ir::Program run() {
    GroupWalk walk = walked_by_groups(program_, how_.workgroup, how_.groups, names_);
    program_.grid = walk.grid;
    program_.workgroup = how_.workgroup;
    program_.body.clear();
    for (const PrivateArray& one : arrays_) clear(one);
    add({ir::Barrier{}});
    for (Stmt& stmt : with_copies(std::move(walk.body))) add(std::move(stmt));
    add({ir::Barrier{}});
    for (const PrivateArray& one : arrays_) merge(one);
    return std::move(program_);
  }

 private:
  void add(Stmt stmt) { program_.body.push_back(std::move(stmt)); }

  [[nodiscard]] static Expr zero(const PrivateArray& of) { return ir::zero(of.array.element); }
  [[nodiscard]] static Expr element_of(const PrivateArray& of, const Expr& index) {
    return ir::Load{of.copy, of.array.element, index};
  }

  // Declares the copies and sets them to zero.
  void clear(const PrivateArray& one) {
    const Expr count = times(one.array.count, ir::literal(copies_));
    program_.buffers.push_back(
        {one.copy, one.array.element, count, Access::read_write, ir::Memory::shared});
    ir::For loop = group_loop(names_.fresh("element"), count, how_.workgroup);
    const Expr element = ir::Var{loop.name, {Scalar::u32}};
    loop.body.push_back({ir::Store{one.copy, element, zero(one)}});
    add({std::move(loop)});
  }

  Block with_copies(Block body) {
    return map_stmts(std::move(body), [&](Stmt stmt, Block& into) {
      const auto* atomic = ir::as<AtomicAdd>(stmt);
      const PrivateArray* found = atomic == nullptr ? nullptr : find(atomic->buffer);
      if (found == nullptr) return into.push_back(std::move(stmt));
      Stmt own = added_to_copy(*found, *atomic, into);
      own.place = stmt.place;
      into.push_back(std::move(own));
    });
  }

  [[nodiscard]] const PrivateArray* find(const std::string& array) const {
    for (const PrivateArray& one : arrays_) {
      if (one.array.name == array) return &one;
    }
    return nullptr;
  }

  // Copies of invocations stand side by side, so that neighbours add to neighbouring elements.
  Stmt added_to_copy(const PrivateArray& to, const AtomicAdd& atomic, Block& before) {
    if (how_.copies == Copies::group) return {AtomicAdd{to.copy, atomic.index, atomic.value}};
    const Expr own =
        plus(times(atomic.index, ir::literal(copies_)), number_in_group(how_.workgroup));
    const Expr at = ir::is<ir::Var>(own) ? own : named(own, "at", names_, before);
    const Expr sum = ir::Binary{BinaryOp::add, element_of(to, at), atomic.value};
    return {ir::Store{to.copy, at, sum}};
  }

  // Adds to the array what the copies hold.
  void merge(const PrivateArray& one) {
    ir::For loop = group_loop(names_.fresh("element"), one.array.count, how_.workgroup);
    const Expr element = ir::Var{loop.name, {Scalar::u32}};
    const Expr sum = ir::Var{names_.fresh("sum"), {one.array.element}};
    total(one, element, *ir::as<ir::Var>(sum), loop.body);
    loop.body.push_back(added_if_any(one.array.name, element, sum));
    add({std::move(loop)});
  }

  void total(const PrivateArray& of, const Expr& element, const ir::Var& sum, Block& into) {
    if (copies_ == 1) {
      into.push_back({ir::Let{sum.name, element_of(of, element)}});
      return;
    }
    ir::For loop{names_.fresh("copy"), ir::literal(0U), ir::literal(copies_), ir::literal(1U), {}};
    const Expr copy = ir::Var{loop.name, {Scalar::u32}};
    const Expr at = plus(times(element, ir::literal(copies_)), copy);
    loop.body.push_back({ir::Assign{sum.name, ir::Binary{BinaryOp::add, sum, element_of(of, at)}}});
    into.push_back({ir::Let{sum.name, zero(of), true}});
    into.push_back({std::move(loop)});
  }

  ir::Program program_;
  Privatising how_;
  std::uint32_t copies_;  // in a group
  ir::Names names_;
  std::vector<PrivateArray> arrays_;
};

constexpr std::array privatise_parameters = {
    Parameter{private_name, "who has a copy of a small array that is added to by atomics", 0,
              copies_words},
    Parameter{private_groups_name, "workgroups that do all of the grid with such copies", 16}};

// Where there can be copies they nearly always pay: the first of these on a CPU, where a group is
// done by one core, the second on a GPU.
constexpr std::array<std::string_view, 2> privatise_guesses = {
    "private=invocation wg_x=1 wg_y=1 wg_z=1", "private=group wg_x=256 private_groups=256"};

bool adds_in_loop(const ir::Program& program) {
  const auto adds = [](const Stmt& s) { return ir::is<AtomicAdd>(s); };
  return any_stmt(program.body, [&](const Stmt& stmt) {
    const bool is_loop = ir::is<ir::For>(stmt) || ir::is<ir::While>(stmt);
    return is_loop && any_block(stmt, [&](const Block& body) { return any_stmt(body, adds); });
  });
}

// Elements of all arrays that can have copies; none where that is too much or cannot be, or where
// a single element is better gathered (see schedule/gather.h).
std::optional<std::uint64_t> private_elements(const SpaceMaker& space) {
  const auto arrays = private_arrays(space.program(), private_name);
  if (!arrays) return std::nullopt;
  std::uint64_t elements = 0;
  for (const ir::Buffer& array : *arrays) {
    const auto count = space.size_of(array.count);
    if (!count || *count > most_private) return std::nullopt;
    elements += *count;
  }
  return elements > 1 ? std::optional(elements) : std::nullopt;
}

// A group has at least as many items to do as it has elements to merge.
std::vector<std::uint32_t> numbers_of_groups(const SpaceMaker& space, std::uint64_t elements) {
  const Extent& grid = space.grid();
  const std::uint64_t items = std::uint64_t{grid[0]} * grid[1] * grid[2];
  const bool many_each = adds_in_loop(space.program());
  std::vector<std::uint32_t> values;
  for (const std::uint32_t groups : {16U, 64U, 256U, 1024U}) {
    if (groups <= items && (many_each || groups * elements <= items)) values.push_back(groups);
  }
  return values;
}

std::string invocations_of_group(const SpaceMaker& space) {
  std::string product;
  for (const std::string_view extent : workgroup_names) {
    if (space.has(extent)) product += fmt::format("{}{}", product.empty() ? "" : " * ", extent);
  }
  return product;
}

void declare_privatise(SpaceMaker& space) {
  if (!space.independent()) return;
  const auto elements = private_elements(space);
  constexpr std::uint64_t element_bytes = 4;
  const std::uint64_t bytes = elements.value_or(0) * element_bytes;
  if (!elements || bytes > space.limits().shared_bytes) return;
  const auto groups = numbers_of_groups(space, *elements);
  if (groups.empty()) return;
  space.parameter(private_name, std::array{0U, 1U, 2U});
  space.parameter(private_groups_name, groups);
  const std::string group = invocations_of_group(space);
  const auto where = [&](Copies copies, const std::string& holds) {
    const auto word = copies_words[static_cast<std::size_t>(copies)];
    space.constraint(fmt::format("{} != '{}' or {}", private_name, word, holds));
  };
  where(Copies::none, fmt::format("{} == {}", private_groups_name, groups.front()));
  where(Copies::group, fmt::format("{} > 1", group));
  where(Copies::invocation,
        fmt::format("{} * {} <= {}", bytes, group, space.limits().shared_bytes));
  if (!space.has(tile_name)) return;
  space.constraint(fmt::format("{} == '{}' or {} == 0", private_name, copies_words[0], tile_name));
}

Result<ir::Program> take_privatise(const ir::Program& program, const Schedule& schedule) {
  const auto copies = static_cast<Copies>(schedule[private_name]);
  if (copies == Copies::none) return program;
  return privatised(program, {.copies = copies,
                              .workgroup = workgroup_of(schedule),
                              .groups = schedule[private_groups_name]});
}

Result<void> check_numbers(const Privatising& how, std::string_view what) {
  if (how.groups > 0 && std::ranges::find(how.workgroup, 0U) == how.workgroup.end()) return {};
  return refuse(what, "there is at least one group, of one invocation");
}

// For arrays whose sizes are known.
Result<void> check_room(const ir::Program& program, const std::vector<ir::Buffer>& arrays,
                        const Privatising& how, std::string_view what) {
  std::uint64_t elements = 0;
  for (const ir::Buffer& array : arrays) elements += *ir::evaluate_size(program, array.count);
  if (how.copies == Copies::invocation) elements *= group_size(how.workgroup);
  if (elements <= most_copied) return {};
  return refuse(what, fmt::format("the copies of a group have at most {} elements", most_copied));
}

}  // namespace

constinit const Step privatise_step = {.parameters = privatise_parameters,
                                       .declare = declare_privatise,
                                       .apply = take_privatise,
                                       .guesses = privatise_guesses};

Result<ir::Program> privatised(const ir::Program& program, const Privatising& how) {
  if (how.copies == Copies::none) return program;
  const std::string what =
      fmt::format("give each {} a copy", copies_words[static_cast<std::size_t>(how.copies)]);
  if (auto fine = check_numbers(how, what); !fine) return Unexpected(fine.error());
  if (auto fine = check_independent(program, what); !fine) return Unexpected(fine.error());
  const ir::Program unique = with_unique_names(program);
  const auto arrays = private_arrays(unique, what);
  if (!arrays) return Unexpected(arrays.error());
  if (auto fine = check_room(unique, *arrays, how, what); !fine) return Unexpected(fine.error());
  return finished(Privatiser(unique, how, *arrays).run(), what);
}

}  // namespace vyre::schedule
