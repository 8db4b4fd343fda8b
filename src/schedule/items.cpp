#include "schedule/items.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "ir/fold.h"
#include "ir/rewrite.h"

namespace vyre::schedule {

using ir::Expr;
using ir::Id;
using ir::IdKind;

// The body keeps seeing the grid that was; numbers of items stay within u32, because a size that
// leaves it is refused at launch.
Items::Items(ir::Program program, std::uint8_t dim, std::uint32_t count)
    : program_(std::move(program)),
      dim_(dim),
      count_(count),
      names_(program_),
      extent_(program_.grid[dim]),
      first_name_(names_.fresh("first")),
      first_(ir::Var{first_name_, {Scalar::u32}}) {
  program_.body = with_id(program_.body, Id{IdKind::grid, dim}, extent_);
}

ir::Block Items::body_of(const Expr& item) const {
  return with_id(program_.body, Id{IdKind::invocation, dim_}, item);
}

std::vector<ir::Buffer> private_buffers(const ir::Program& program) {
  std::vector<ir::Buffer> found;
  std::ranges::copy_if(program.buffers, std::back_inserter(found),
                       [](const ir::Buffer& buffer) { return buffer.memory == ir::Memory::own; });
  return found;
}

std::vector<ir::Buffer> constant_buffers(const ir::Program& program) {
  std::vector<ir::Buffer> found;
  std::ranges::copy_if(program.buffers, std::back_inserter(found), [](const ir::Buffer& buffer) {
    const bool is_fixed = !any_expr(buffer.count, [](const Expr& e) { return ir::is<ir::Id>(e); });
    return buffer.memory == ir::Memory::global && buffer.access == Access::read && is_fixed;
  });
  return found;
}

void spread(ir::Program& program, const ir::NameSet& private_buffers, std::uint32_t items) {
  for (ir::Buffer& buffer : program.buffers) {
    if (!private_buffers.contains(buffer.name)) continue;
    buffer.count = times(buffer.count, ir::literal(items));
  }
}

bool Items::divides() const {
  const auto extent = literal_bits(extent_);
  return extent && *extent % count_ == 0;
}

ir::Stmt Items::let_first() const {
  return {ir::Let{first_name_, times(Id{IdKind::invocation, dim_}, ir::literal(count_))}};
}

ir::Stmt Items::loop_to(const Expr& end) {
  const std::string name = names_.fresh("item");
  const Expr item = ir::Var{name, {Scalar::u32}};
  return {ir::For{name, first_, end, ir::literal(1U), body_of(item)}};
}

ir::Block Items::in_full(ir::Block fast, const std::vector<Expr>& tests) {
  ir::Block made = {let_first()};
  const Expr end = plus(first_, ir::literal(count_));
  std::optional<Expr> inside;
  if (!divides()) inside = compared(ir::BinaryOp::le, end, extent_);
  for (const Expr& test : tests) inside = inside ? both(*inside, test) : test;
  if (!inside) {
    made.insert(made.end(), fast.begin(), fast.end());
    return made;
  }
  const Expr last = tests.empty() ? extent_ : divides() ? end : minimum(end, extent_);
  made.push_back({ir::If{*inside, std::move(fast), {loop_to(last)}}});
  return made;
}

ir::Program Items::with_body(ir::Block body) const {
  ir::Program made = program_;
  made.grid[dim_] = ceil_div(extent_, count_);
  made.body = std::move(body);
  return made;
}

}  // namespace vyre::schedule
