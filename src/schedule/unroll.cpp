#include "schedule/unroll.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "ir/fold.h"
#include "ir/grouping.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "schedule/listed_workgroups.h"
#include "schedule/loops.h"
#include "schedule/space_maker.h"
#include "schedule/vectorize.h"

namespace vyre::schedule {
namespace {

using ir::Block;
using ir::Expr;
using ir::For;

constexpr std::uint32_t max_factor = 256;
constexpr std::size_t max_nest = 128;  // statements that loops inside each other may become

class Unroller {
 public:
  Unroller(const ir::Program& program, std::uint32_t factor)
      : names_(program), of_group_(names_of_group(program)), factor_(factor) {}

  Block block(const Block& body) {
    Block made;
    for (const ir::Stmt& stmt : body) statement(stmt, made);
    return made;
  }
  [[nodiscard]] bool any() const { return any_; }

 private:
  // Innermost loops are unrolled; all else stays, with its blocks looked at.
  void statement(const ir::Stmt& stmt, Block& into) {
    const auto* innermost = ir::as<For>(stmt);
    if (innermost == nullptr || has_loop(innermost->body)) {
      around(with_blocks(stmt, [&](const Block& inner) { return block(inner); }), into);
    } else if (!loop(*innermost, into)) {
      into.push_back(stmt);
    }
  }

  // A loop around loops that disappeared does so, too, if it is short.
  void around(const ir::Stmt& stmt, Block& into) {
    const auto* loop = ir::as<For>(stmt);
    const auto count = loop == nullptr || has_loop(loop->body) ? std::nullopt : trips(*loop);
    const auto step = count ? literal_bits(loop->step) : std::nullopt;
    const bool is_short =
        step && *count <= factor_ && statement_count(loop->body) * *count <= max_nest;
    if (!is_short) return into.push_back(stmt);
    for (std::uint32_t i = 0; i < *count; ++i) copy(*loop, loop->begin, i * *step, into);
  }

  bool loop(const For& loop, Block& into) {
    const auto step = literal_bits(loop.step);
    const std::uint32_t most = 0x7fffffffU / factor_;
    if (!step || *step == 0 || *step > most) return false;
    const auto count = trips(loop);
    // Invocations that pass a barrier equally often may differ in their bounds, and with wide steps
    // then also in how many turns are whole.
    if (!count && *step > 1 && has_barrier(loop.body) && !is_same_for_group(loop)) return false;
    any_ = true;
    if (count && *count <= factor_) {
      for (std::uint32_t i = 0; i < *count; ++i) copy(loop, loop.begin, i * *step, into);
    } else {
      partly(loop, *step, count && *count % factor_ == 0, into);
    }
    return true;
  }

  [[nodiscard]] bool is_same_for_group(const For& loop) const {
    return ir::is_same_for_group(loop.begin, of_group_) &&
           ir::is_same_for_group(loop.end, of_group_);
  }

  // The body for the loop variable `at + offset`.
  void copy(const For& loop, const Expr& at, std::uint32_t offset, Block& into) {
    const Expr value = plus(at, ir::integer(offset, at.type().scalar));
    const Block body = copy_of(with_var(loop.body, loop.name, value), names_);
    into.insert(into.end(), body.begin(), body.end());
  }

  // The first loop ends before it could step over the end; the second goes on where it stopped, so
  // that even a loop whose variable wraps does what it did.
  void partly(const For& loop, std::uint32_t step, bool divides, Block& into) {
    const Scalar scalar = loop.begin.type().scalar;
    const auto name = [&](const Expr& value, std::string_view part) {
      return named(value, loop.name + std::string(part), names_, into);
    };
    const Expr begin = name(loop.begin, "_begin");
    const Expr end = name(loop.end, "_end");
    const Expr whole = divides ? end : name(end_of_turns(begin, end, step * factor_), "_whole");
    For fast{names_.fresh(loop.name), begin, whole, ir::integer(step * factor_, scalar), {}};
    const Expr at = ir::Var{fast.name, {scalar}};
    for (std::uint32_t i = 0; i < factor_; ++i) copy(loop, at, i * step, fast.body);
    into.push_back({std::move(fast)});
    if (!divides) into.push_back({For{loop.name, whole, end, loop.step, loop.body}});
  }

  ir::Names names_;
  ir::NameSet of_group_;
  std::uint32_t factor_;
  bool any_ = false;
};

constexpr std::string_view unroll_name = "unroll";
constexpr std::array unroll_parameters = {Parameter{unroll_name, "iterations of a loop at a time"}};

// Factors that are legal together with the widest vectors, which the step after this one makes.
void declare_unroll(SpaceMaker& space) {
  const std::uint32_t width = widest_vector(space);
  std::vector<std::uint32_t> factors;
  for (const std::uint32_t factor : {1U, 2U, 4U, 8U}) {
    auto made = unrolled(space.program(), factor);
    if (made) made = vectorized(*made, width);
    if (!made) break;
    factors.push_back(factor);
    space.note_body(statement_count(made->body));
  }
  if (factors.size() > 1) space.parameter(unroll_name, factors);
}

Result<ir::Program> take_unroll(const ir::Program& program, const Schedule& schedule) {
  return unrolled(program, schedule[unroll_name]);
}

}  // namespace

constinit const Step unroll_step = {unroll_parameters, declare_unroll, take_unroll};

Result<ir::Program> unrolled(const ir::Program& program, std::uint32_t factor) {
  if (factor == 1) return program;
  const std::string what = fmt::format("unroll by {}", factor);
  if (factor == 0 || factor > max_factor) {
    return refuse(what, fmt::format("the factor goes from 1 to {}", max_factor));
  }
  ir::Program made = with_unique_names(in_own_workgroup(program));
  if (statement_count(made.body) * factor > max_statements * 8) {
    return refuse(what, "the body would be too long");
  }
  Unroller unroller(made, factor);
  made.body = unroller.block(made.body);
  if (!unroller.any()) return refuse(what, "there is no innermost loop that it may unroll");
  return finished(std::move(made), what);
}

}  // namespace vyre::schedule
