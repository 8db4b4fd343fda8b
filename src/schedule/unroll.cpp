#include "schedule/unroll.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <vector>

#include "ir/fold.h"
#include "ir/grouping.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "schedule/space_maker.h"
#include "schedule/vectorize.h"

namespace vyre::schedule {
namespace {

using ir::Binary;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::For;

constexpr std::uint32_t max_factor = 256;

bool has_loop(const Block& block) {
  return any_stmt(block, [](const ir::Stmt& s) { return ir::is<For>(s); });
}

std::int64_t value_of(std::uint32_t bits, Scalar scalar) {
  return scalar == Scalar::i32 ? std::int64_t{static_cast<std::int32_t>(bits)} : bits;
}

// How often a loop with literal bounds runs, if its variable does not wrap.
std::optional<std::uint64_t> trips(const For& loop) {
  const auto begin = literal_bits(loop.begin);
  const auto end = literal_bits(loop.end);
  const auto step = literal_bits(loop.step);
  if (!begin || !end || !step) return std::nullopt;
  const Scalar scalar = loop.begin.type().scalar;
  const std::int64_t span = value_of(*end, scalar) - value_of(*begin, scalar);
  if (span <= 0) return 0;
  const std::uint64_t count = (static_cast<std::uint64_t>(span) + *step - 1) / *step;
  const auto past = static_cast<std::int64_t>(count * *step) + value_of(*begin, scalar);
  const bool wraps = past > (scalar == Scalar::i32 ? std::int64_t{0x7fffffff} : 0xffffffff);
  return wraps ? std::nullopt : std::optional(count);
}

class Unroller {
 public:
  Unroller(const ir::Program& program, std::uint32_t factor) : names_(program), factor_(factor) {}

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
      into.push_back(with_blocks(stmt, [&](const Block& inner) { return block(inner); }));
    } else if (!loop(*innermost, into)) {
      into.push_back(stmt);
    }
  }

  bool loop(const For& loop, Block& into) {
    const auto step = literal_bits(loop.step);
    const std::uint32_t most = 0x7fffffffU / factor_;
    if (!step || *step == 0 || *step > most) return false;
    const auto count = trips(loop);
    // Invocations that pass a barrier equally often may differ in their bounds, and with wide steps
    // then also in how many turns are whole.
    if (!count && *step > 1 && has_barrier(loop.body)) return false;
    any_ = true;
    if (count && *count <= factor_) {
      for (std::uint32_t i = 0; i < *count; ++i) copy(loop, loop.begin, i * *step, into);
    } else {
      partly(loop, *step, count && *count % factor_ == 0, into);
    }
    return true;
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
    const Expr begin = named(loop.begin, loop.name + "_begin", into);
    const Expr end = named(loop.end, loop.name + "_end", into);
    const Expr whole = divides ? end : named(end_of(begin, end, step), loop.name + "_whole", into);
    For fast{names_.fresh(loop.name), begin, whole, ir::integer(step * factor_, scalar), {}};
    const Expr at = ir::Var{fast.name, {scalar}};
    for (std::uint32_t i = 0; i < factor_; ++i) copy(loop, at, i * step, fast.body);
    into.push_back({std::move(fast)});
    if (!divides) into.push_back({For{loop.name, whole, end, loop.step, loop.body}});
  }

  // Evaluated once, as a loop's head is.
  Expr named(const Expr& value, const std::string& like, Block& into) {
    if (literal_bits(value)) return value;
    const std::string name = names_.fresh(like);
    into.push_back({ir::Let{name, value}});
    return ir::Var{name, value.type()};
  }

  // Where the last whole turn of `factor` iterations ends.
  [[nodiscard]] Expr end_of(const Expr& begin, const Expr& end, std::uint32_t step) const {
    const std::uint32_t turn = step * factor_;
    const auto whole = [&](const Expr& span) {
      return times(quotient(span, turn), ir::literal(turn));
    };
    const Scalar scalar = begin.type().scalar;
    if (scalar == Scalar::u32 && is_literal(begin, 0)) return whole(end);
    const Expr distance = minus(end, begin);
    const Expr span = ir::Select{
        compared(BinaryOp::lt, begin, end),
        scalar == Scalar::u32 ? distance : ir::Convert{Scalar::u32, distance}, ir::literal(0U)};
    if (scalar == Scalar::u32) return plus(begin, whole(span));
    return plus(begin, ir::Convert{scalar, whole(span)});
  }

  ir::Names names_;
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
  ir::Program made = with_unique_names(program);
  if (statement_count(made.body) * factor > max_statements * 8) {
    return refuse(what, "the body would be too long");
  }
  Unroller unroller(made, factor);
  made.body = unroller.block(made.body);
  if (!unroller.any()) return refuse(what, "there is no innermost loop that it may unroll");
  return finished(std::move(made), what);
}

}  // namespace vyre::schedule
