#include "schedule/loops.h"

#include "ir/fold.h"
#include "ir/visit.h"

namespace vyre::schedule {
namespace {

using ir::Expr;

std::int64_t signed_or_not(std::uint32_t bits, Scalar scalar) {
  return scalar == Scalar::i32 ? std::int64_t{static_cast<std::int32_t>(bits)} : bits;
}

}  // namespace

bool has_loop(const ir::Block& block) {
  return any_stmt(block,
                  [](const ir::Stmt& s) { return ir::is<ir::For>(s) || ir::is<ir::While>(s); });
}

std::optional<std::uint64_t> trips(const ir::For& loop) {
  const auto begin = literal_bits(loop.begin);
  const auto end = literal_bits(loop.end);
  const auto step = literal_bits(loop.step);
  if (!begin || !end || !step || *step == 0) return std::nullopt;
  const Scalar scalar = loop.begin.type().scalar;
  const std::int64_t span = signed_or_not(*end, scalar) - signed_or_not(*begin, scalar);
  if (span <= 0) return 0;
  const std::uint64_t count = (static_cast<std::uint64_t>(span) + *step - 1) / *step;
  const auto past = static_cast<std::int64_t>(count * *step) + signed_or_not(*begin, scalar);
  const bool wraps = past > (scalar == Scalar::i32 ? std::int64_t{0x7fffffff} : 0xffffffff);
  return wraps ? std::nullopt : std::optional(count);
}

Expr end_of_turns(const Expr& begin, const Expr& end, std::uint32_t turn) {
  const auto whole = [&](const Expr& span) {
    return times(quotient(span, turn), ir::literal(turn));
  };
  const Scalar scalar = begin.type().scalar;
  if (scalar == Scalar::u32 && is_literal(begin, 0)) return whole(end);
  const Expr distance = minus(end, begin);
  const Expr span = ir::Select{
      compared(ir::BinaryOp::lt, begin, end),
      scalar == Scalar::u32 ? distance : ir::Convert{Scalar::u32, distance}, ir::literal(0U)};
  if (scalar == Scalar::u32) return plus(begin, whole(span));
  return plus(begin, ir::Convert{scalar, whole(span)});
}

Expr named(const Expr& value, const std::string& like, ir::Names& names, ir::Block& into) {
  if (literal_bits(value)) return value;
  const std::string name = names.fresh(like);
  into.push_back({ir::Let{name, value}});
  return ir::Var{name, value.type()};
}

}  // namespace vyre::schedule
