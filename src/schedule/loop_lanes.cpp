#include "schedule/loop_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "ir/fold.h"
#include "ir/rewrite.h"
#include "ir/visit.h"
#include "schedule/accumulators.h"
#include "schedule/champions.h"
#include "schedule/interleave.h"
#include "schedule/items.h"
#include "schedule/loops.h"
#include "schedule/space_maker.h"
#include "schedule/vectorize.h"
#include "schedule/widen.h"

namespace vyre::schedule {
namespace {

using ir::Block;
using ir::Expr;
using ir::For;
using ir::Stmt;

// Whether each iteration has the elements that the loop writes for itself: all accesses to a buffer
// that is stored to have one index, and it grows by one.
bool keeps_to_itself(const For& loop, const ir::Strides& strides) {
  std::map<std::string, std::vector<Expr>> accessed;
  ir::NameSet stored;
  for_each_expr(loop.body, [&](const Expr& e) {
    if (const auto* load = ir::as<ir::Load>(e)) accessed[load->buffer].push_back(load->index);
  });
  for_each_stmt(loop.body, [&](const Stmt& stmt) {
    const auto* store = ir::as<ir::Store>(stmt);
    if (store == nullptr) return;
    stored.insert(store->buffer);
    accessed[store->buffer].push_back(store->index);
  });
  return std::ranges::all_of(stored, [&](const std::string& buffer) {
    const std::vector<Expr>& indices = accessed[buffer];
    return strides.is(indices[0], 1) &&
           std::ranges::all_of(indices, [&](const Expr& e) { return e == indices[0]; });
  });
}

bool has_vector(const Block& body) {
  return any_expr(body, [](const Expr& e) { return e.type().lanes > 1; });
}

bool is_only_scalars(const Block& body) {
  return !has_vector(body) && !any_stmt(body, [](const Stmt& s) {
    return ir::is<ir::AtomicAdd>(s) || ir::is<ir::Barrier>(s);
  });
}

// The value of all parts and lanes together: halves are put together until one is left.
Expr combined(std::vector<Expr> values, ir::BinaryOp op) {
  while (values.size() > 1) {
    const std::size_t half = (values.size() + 1) / 2;
    for (std::size_t i = 0; i + half < values.size(); ++i) {
      values[i] = ir::Binary{op, values[i], values[i + half]};
    }
    values.resize(half);
  }
  return values[0];
}

// How accesses go from an invocation to its neighbour in x. Requires: unique names, independent
// invocations.
class AlongX {
 public:
  explicit AlongX(const ir::Program& program)
      : private_(ir::private_names(program)),
        varying_(program.body, 0, private_),
        strides_(program.body, varying_) {}

  // Whether all loads of it, of which there are some, become loads of vectors or of one element.
  [[nodiscard]] bool suits(const Block& body) const {
    bool wide = false;
    const bool gathers = any_expr(body, [&](const Expr& e) {
      const auto* load = ir::as<ir::Load>(e);
      if (load == nullptr || !varying_.varies(load->index)) return false;
      const bool neighbours = strides_.is(load->index, 1) && !private_.contains(load->buffer);
      wide = wide || neighbours;
      return !neighbours;
    });
    return wide && !gathers;
  }

 private:
  ir::NameSet private_;
  ir::Varying varying_;
  ir::Strides strides_;
};

class LoopWidener {
 public:
  LoopWidener(const ir::Program& program, LoopLanes how)
      : names_(program),
        how_(how),
        may_round_(program.reassociate),
        constant_buffers_(constant_buffers(program)) {
    if (check_independent(program, "").has_value()) along_x_.emplace(program);
  }

  Block block(const Block& body) {
    Block made;
    for (const Stmt& stmt : body) statement(stmt, made);
    return made;
  }
  [[nodiscard]] bool any() const { return any_; }
  // Whether a loop was left to vectors along x, which suit it better.
  [[nodiscard]] bool left_any() const { return left_any_; }
  [[nodiscard]] std::string why_not() const {
    return why_not_.empty() ? "there is no loop" : why_not_;
  }

 private:
  void statement(const Stmt& stmt, Block& into) {
    const auto* innermost = ir::as<For>(stmt);
    if (innermost == nullptr || has_loop(innermost->body)) {
      into.push_back(with_blocks(stmt, [&](const Block& inner) { return block(inner); }));
    } else if (!loop(*innermost, into)) {
      into.push_back(stmt);
    }
  }

  bool refused(std::string why) {
    if (why_not_.empty()) why_not_ = std::move(why);
    return false;
  }

  bool loop(const For& loop, Block& into) {
    const auto about = [&](std::string_view why) {
      return fmt::format("the loop over '{}' {}", loop.name, why);
    };
    const auto count = trips(loop);
    if (!is_literal(loop.step, 1)) return refused(about("does not go in steps of one"));
    if (count && *count < how_.width) return refused(about("has fewer iterations than lanes"));
    if (!is_only_scalars(loop.body)) return refused(about("has vectors, atomics or barriers"));
    const Contest contest = contest_of(loop, names_);
    const auto found = accumulators_in_any_order(
        {loop.name, loop.begin, loop.end, loop.step, contest.rest}, may_round_);
    if (!found) return refused(found.error().message);
    const ir::Var variable = {loop.name, loop.begin.type()};
    const ir::Varying varying(loop.body, {loop.name});
    const ir::Strides strides(loop.body, varying, variable);
    if (!keeps_to_itself(loop, strides)) {
      return refused(about("writes what other iterations may touch"));
    }
    if (along_x_ && gathers(loop.body, varying, strides) && along_x_->suits(loop.body)) {
      left_any_ = true;
      return refused(about("accesses neighbouring elements from invocation to invocation"));
    }
    if (!has_neighbours(loop.body, varying, strides)) {
      return refused(about("accesses no neighbouring elements from iteration to iteration"));
    }
    in_lanes(loop, {contest, *found}, count && *count % turn() == 0, into);
    any_ = true;
    return true;
  }

  // An access that becomes a vector's, or none that would have to be gathered.
  bool has_neighbours(const Block& body, const ir::Varying& varying,
                      const ir::Strides& strides) const {
    bool any_varies = false;
    bool any_wide = false;
    for_each_expr(body, [&](const Expr& e) {
      const auto* load = ir::as<ir::Load>(e);
      if (load == nullptr) return;
      any_varies = any_varies || varying.varies(load->index);
      any_wide = any_wide || is_wide(*load, strides);
    });
    for_each_stmt(body, [&](const Stmt& stmt) {
      const auto* store = ir::as<ir::Store>(stmt);
      if (store == nullptr) return;
      any_varies = any_varies || varying.varies(store->index);
      any_wide = any_wide || strides.is(store->index, 1);
    });
    return any_wide || !any_varies;
  }

  bool gathers(const Block& body, const ir::Varying& varying, const ir::Strides& strides) const {
    return any_expr(body, [&](const Expr& e) {
      const auto* load = ir::as<ir::Load>(e);
      return load != nullptr && varying.varies(load->index) && !is_wide(*load, strides);
    });
  }

  // Elements side by side, or parts of records: see schedule/interleave.h.
  [[nodiscard]] bool is_wide(const ir::Load& load, const ir::Strides& strides) const {
    if (strides.is(load.index, 1)) return true;
    const auto stride = strides.of(load.index);
    const auto gap = stride ? literal_bits(*stride) : std::nullopt;
    return gap && is_gap(*gap, how_.width) && names_of(constant_buffers_).contains(load.buffer);
  }

  [[nodiscard]] std::uint32_t turn() const { return how_.width * how_.parts; }

  // What the loop carries on from iteration to iteration, and what that starts from in a part.
  struct Carried {
    const Contest& contest;
    const std::vector<Accumulator>& accumulators;

    template <class See>
    void for_each(const See& see) const {
      for (const Accumulator& one : accumulators) see(one.variable, start_of_part(one));
      for (const Champion& champion : contest.champions) {
        for (const ir::Var& variable : carried(champion)) {
          see(variable, variable == champion.place ? no_place(champion) : Expr(variable));
        }
      }
    }
  };
  // The names of all that in one part, in the same order.
  using Part = std::vector<std::string>;

  void in_lanes(const For& loop, const Carried& carried, bool divides, Block& into) {
    const auto name = [&](const Expr& value, std::string_view part) {
      return named(value, loop.name + std::string(part), names_, into);
    };
    const Expr begin = name(loop.begin, "_begin");
    const Expr end = name(loop.end, "_end");
    const Expr whole = divides ? end : name(end_of_turns(begin, end, turn()), "_whole");
    std::vector<Part> parts;
    for (std::uint32_t p = 0; p < how_.parts; ++p) parts.push_back(declared_part(carried, into));
    const Scalar scalar = loop.begin.type().scalar;
    For fast{names_.fresh(loop.name), begin, whole, ir::integer(turn(), scalar), {}};
    for (std::uint32_t p = 0; p < how_.parts; ++p) {
      const Expr at = plus(ir::Var{fast.name, {scalar}}, ir::integer(p * how_.width, scalar));
      one_part(carried, at, parts[p], fast.body);
    }
    into.push_back({std::move(fast)});
    put_together(carried, parts, into);
    if (!divides) into.push_back({For{loop.name, whole, end, loop.step, loop.body}});
  }

  Part declared_part(const Carried& carried, Block& into) {
    Part part;
    carried.for_each([&](const ir::Var& variable, const Expr& start) {
      part.push_back(names_.fresh(variable.name));
      const auto lanes = static_cast<std::uint8_t>(how_.width);
      into.push_back({ir::Let{part.back(), ir::Splat{lanes, start}, true}});
    });
    return part;
  }

  // The body for `width` iterations from `at` on, with this part's accumulations.
  void one_part(const Carried& carried, const Expr& at, const Part& part, Block& into) {
    const For& loop = carried.contest.loop;
    Lanes::Options options = {
        .width = how_.width, .vectors = true, .constant_buffers = constant_buffers_};
    options.loop = ir::Var{names_.fresh(loop.name), at.type()};
    into.push_back({ir::Let{options.loop->name, at}});
    Block body = with_var(copy_of(loop.body, names_), loop.name, *options.loop);
    carried.for_each([&](const ir::Var& variable, const Expr&) {
      const std::string& own = part[options.carried.size()];
      body = with_accumulator(body, variable, own);
      options.carried.push_back({own, variable.type});
    });
    Block made = widened(with_named_loads(body, options, names_), options, names_).body;
    into.insert(into.end(), made.begin(), made.end());
  }

  void put_together(const Carried& carried, const std::vector<Part>& parts, Block& into) {
    std::size_t at = 0;
    for (const Accumulator& one : carried.accumulators) put_together(one, at++, parts, into);
    for (const Champion& champion : carried.contest.champions) {
      const std::size_t count = schedule::carried(champion).size();
      std::vector<Part> own;
      for (const Part& part : parts) {
        const auto begin = part.begin() + static_cast<std::ptrdiff_t>(at);
        own.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(count));
      }
      crown(champion, own, how_.width, names_, into);
      at += count;
    }
  }

  void put_together(const Accumulator& accumulator, std::size_t at, const std::vector<Part>& parts,
                    Block& into) {
    const ir::Type wide = {accumulator.variable.type.scalar, static_cast<std::uint8_t>(how_.width)};
    std::vector<Expr> vectors;
    for (const Part& part : parts) vectors.push_back(ir::Var{part[at], wide});
    const Expr all =
        named(combined(vectors, accumulator.op), accumulator.variable.name, names_, into);
    std::vector<Expr> lanes;
    for (std::uint32_t l = 0; l < how_.width; ++l) {
      lanes.push_back(ir::Lane{all, static_cast<std::uint8_t>(l)});
    }
    into.push_back(
        {ir::Assign{accumulator.variable.name, ir::Binary{accumulator.op, accumulator.variable,
                                                          combined(lanes, accumulator.op)}}});
  }

  ir::Names names_;
  LoopLanes how_;
  bool may_round_;
  std::vector<ir::Buffer> constant_buffers_;
  std::optional<AlongX> along_x_;  // none where invocations meet
  bool any_ = false;
  bool left_any_ = false;
  std::string why_not_;
};

// Whether some loops get lanes and others are left to vectors along x.
bool is_mixed(const ir::Program& program) {
  const ir::Program made = with_unique_names(program);
  LoopWidener widener(made, {.width = 4});
  static_cast<void>(widener.block(made.body));
  return widener.any() && widener.left_any();
}

constexpr std::array loop_lanes_parameters = {
    Parameter{loop_vector_name, "iterations of a loop as lanes"},
    Parameter{loop_parts_name, "such vectors side by side, each with sums of its own"}};

void declare_loop_lanes(SpaceMaker& space) {
  std::vector<std::uint32_t> widths = {1};
  for (const std::uint32_t width : {4U, 8U, 16U}) {
    const auto made = with_loop_lanes(space.program(), {.width = width, .parts = 4});
    if (!made) continue;
    widths.push_back(width);
    space.note_body(statement_count(made->body));
  }
  if (widths.size() == 1) return;
  space.parameter(loop_vector_name, widths);
  space.parameter(loop_parts_name, std::array{1U, 2U, 4U});
  space.constraint(fmt::format("{} == 1 or {} > 1", loop_parts_name, loop_vector_name));
  if (!space.has(vector_name) || is_mixed(space.program())) return;
  space.constraint(fmt::format("{} == 1 or {} == 1", vector_name, loop_vector_name));
}

Result<ir::Program> take_loop_lanes(const ir::Program& program, const Schedule& schedule) {
  return with_loop_lanes(program, {schedule[loop_vector_name], schedule[loop_parts_name]});
}

}  // namespace

constinit const Step loop_lanes_step = {loop_lanes_parameters, declare_loop_lanes, take_loop_lanes};

Result<ir::Program> with_loop_lanes(const ir::Program& program, LoopLanes how) {
  if (how.width == 1) return program;
  const std::string what = fmt::format("make vectors of {} along loops", how.width);
  if (!ir::is_lane_count(how.width)) return refuse(what, "a vector has 2, 4, 8 or 16 lanes");
  if (how.parts == 0 || how.parts > 16) return refuse(what, "there are from 1 to 16 parts");
  ir::Program made = with_unique_names(program);
  LoopWidener widener(made, how);
  made.body = widener.block(made.body);
  if (!widener.any()) return refuse(what, widener.why_not());
  return finished(std::move(made), what);
}

}  // namespace vyre::schedule
