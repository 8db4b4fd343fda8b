#include "emit/statement.h"

#include <fmt/format.h>

#include <algorithm>

#include "emit/operators.h"
#include "ir/grouping.h"

namespace vyre::emit {
namespace {

// Up to this grid, the ids of surplus invocations still fit in u32, whatever the workgroup.
constexpr std::int64_t half_of_u32 = std::int64_t{1} << 31;

// A condition so small that it is never taken apart into parts before its statement.
bool is_small(const ir::Expr& cond) { return cond.depth() <= 5; }

// A comment ends with its line, whatever the author put into the name.
std::string on_one_line(std::string name) {
  std::ranges::replace_if(
      name, [](unsigned char c) { return c < ' ' || c == 0x7f || c == '\\'; }, '?');
  return name;
}

}  // namespace

void Statements::line(std::string_view text) {
  for (const std::string& part : expressions_.take_parts()) line(part);
  text_.append(2 * indent_, ' ').append(text) += '\n';
}

void Statements::block(const ir::Block& block) {
  for (const ir::Stmt& stmt : block) statement(stmt);
}

void Statements::statement(const ir::Stmt& stmt) {
  ir::match(
      stmt, [&](const ir::Let& s) { let(s); }, [&](const ir::Assign& s) { assign(s); },
      [&](const ir::Store& s) { store(s); }, [&](const ir::AtomicAdd& s) { atomic_add(s); },
      [&](const ir::If& s) { branch(s); }, [&](const ir::For& s) { loop(s); },
      [&](const ir::While& s) { loop(s); }, [&](const ir::Break&) { line("break;"); },
      [&](const ir::Barrier&) { barrier(); }, [&](const ir::Region& s) { region(s); });
}

void Statements::scope(const ir::Block& inner) {
  ++indent_;
  block(inner);
  --indent_;
}

void Statements::let(const ir::Let& let) {
  const Code value = expressions_.emit(let.value);
  line(fmt::format("{}{} {} = {};", let.is_mutable ? "" : "const ",
                   state_.dialect.type(let.value.type(), state_.helpers), state_.names.of(let.name),
                   value.text));
  if (let.is_mutable) {
    mutable_.insert(let.name);
  } else {
    mutable_.erase(let.name);
  }
  state_.ranges.pass(let);
}

void Statements::assign(const ir::Assign& assign) {
  const Code value = expressions_.emit(assign.value);
  line(fmt::format("{} = {};", state_.names.of(assign.name), value.text));
  state_.ranges.pass(assign);
}

void Statements::store(const ir::Store& store) {
  const Element to = expressions_.element(store.buffer, store.index, store.value.type().lanes);
  line(state_.dialect.store(to, expressions_.emit(store.value), state_.helpers));
}

// An invocation alone in its group has its shared memory for itself.
void Statements::atomic_add(const ir::AtomicAdd& add) {
  const ir::Buffer& buffer = *ir::find_buffer(state_.program(), add.buffer);
  if (buffer.memory == ir::Memory::shared && is_alone()) {
    const ir::Expr before = ir::Load{add.buffer, buffer.element, add.index};
    return store({add.buffer, add.index, ir::Binary{ir::BinaryOp::add, before, add.value}});
  }
  const Element to = expressions_.element(add.buffer, add.index, 1);
  line(state_.dialect.atomic_add(to, expressions_.emit(add.value), state_.helpers));
}

// An invocation alone in its group waits for nobody; PoCL 3.1 stops at its barrier behind a loop.
void Statements::barrier() {
  if (!is_alone()) line(state_.dialect.barrier);
}

bool Statements::is_alone() const {
  return state_.workgroup_is_fixed && state_.program().workgroup == Extent{1, 1, 1};
}

void Statements::branch_scope(const ir::Block& inner) {
  scope(inner);
  if (!state_.dialect.branch_ends_with_barrier || !ir::has_barrier(inner)) return;
  if (ir::is<ir::Barrier>(inner.back())) return;
  ++indent_;
  barrier();
  --indent_;
}

void Statements::branch(const ir::If& branch) {
  const Code cond = expressions_.emit(branch.cond);
  line(fmt::format("if ({}) {{", cond.text));
  const std::size_t mark = state_.ranges.mark();
  state_.ranges.assume(branch.cond, true);
  branch_scope(branch.then);
  const auto after_then = state_.ranges.undo(mark);
  state_.ranges.assume(branch.cond, false);
  otherwise(branch.otherwise);
  const auto after_otherwise = state_.ranges.undo(mark);
  state_.ranges.join(after_then, after_otherwise);
}

void Statements::otherwise(const ir::Block& block) {
  if (block.empty()) return line("}");
  const auto* chained = block.size() == 1 ? ir::as<ir::If>(block[0]) : nullptr;
  if (chained != nullptr && is_small(chained->cond)) {
    const std::size_t start = text_.size();
    branch(*chained);
    text_.insert(start + 2 * indent_, "} else ");
    return;
  }
  line("} else {");
  branch_scope(block);
  line("}");
}

void Statements::loop(const ir::For& loop) {
  const ir::Type type = loop.begin.type();
  const std::string& name = state_.names.of(loop.name);
  const ir::Interval values = state_.ranges.enter(loop);
  std::string declarations = fmt::format("{} {} = {}", state_.dialect.type(type, state_.helpers),
                                         name, expressions_.emit(loop.begin).text);
  const Code end = hoisted(loop.end, loop.name + "_end", declarations);
  const Code step = hoisted(loop.step, loop.name + "_step", declarations);
  line(fmt::format("for ({}; {}; {}) {{", declarations, infix(ir::BinaryOp::lt, {name}, end).text,
                   increment(loop, name, step, values)));
  const std::size_t mark = state_.ranges.mark();
  state_.ranges.know(loop.name, values);
  mutable_.erase(loop.name);
  scope(loop.body);
  state_.ranges.undo(mark);
  line("}");
}

// A condition that is taken apart is computed at the start of each iteration.
void Statements::loop(const ir::While& loop) {
  state_.ranges.enter(loop);
  const std::string cond = expressions_.emit(loop.cond).text;
  const std::vector<std::string> parts = expressions_.take_parts();
  line(fmt::format("while ({}) {{", parts.empty() ? cond : "true"));
  ++indent_;
  for (const std::string& part : parts) line(part);
  if (!parts.empty()) line(fmt::format("if (!({})) break;", cond));
  --indent_;
  const std::size_t mark = state_.ranges.mark();
  state_.ranges.assume(loop.cond, true);
  scope(loop.body);
  state_.ranges.undo(mark);
  line("}");
}

Code Statements::hoisted(const ir::Expr& expr, const std::string& name, std::string& declarations) {
  const bool is_constant = ir::match(
      expr, [](const Literal&) { return true; },
      [](const ir::Id& n) { return n.kind != ir::IdKind::grid; },
      [&](const ir::Var& n) { return !mutable_.contains(n.name); },
      [](const ir::OneOf<ir::Load, ir::Unary, ir::Binary, ir::Fma, ir::Select, ir::Convert,
                         ir::Bitcast, ir::Splat, ir::Vector, ir::Lane, ir::Reduce> auto&) {
        return false;
      });
  Code code = expressions_.emit(expr);
  if (is_constant) return code;
  std::string fresh = state_.names.fresh(name);
  declarations += fmt::format(", {} = {}", fresh, code.text);
  return {std::move(fresh)};
}

std::string Statements::increment(const ir::For& loop, const std::string& name, const Code& step,
                                  ir::Interval values) const {
  const Scalar scalar = loop.begin.type().scalar;
  const ir::Interval by = state_.ranges.of(loop.step);
  const ir::Interval next = ir::apply(ir::BinaryOp::add, scalar, values, by);
  if (scalar == Scalar::i32 && !next.within(ir::full_range(scalar))) {
    const auto bits = [&](const Code& code) {
      return state_.dialect.bitcast({scalar}, Scalar::u32, code, state_.helpers);
    };
    const Code sum = infix(ir::BinaryOp::add, bits({name}), bits(step));
    const Code wrapped = state_.dialect.bitcast({Scalar::u32}, Scalar::i32, sum, state_.helpers);
    return fmt::format("{} = {}", name, wrapped.text);
  }
  if (by == ir::Interval{1, 1}) return "++" + name;
  return fmt::format("{} += {}", name, step.text);
}

void Statements::region(const ir::Region& region) {
  line(fmt::format("{{  // region \"{}\"", on_one_line(region.name)));
  const std::size_t mark = state_.ranges.mark();
  scope(region.body);
  state_.ranges.keep(state_.ranges.undo(mark));
  line("}");
}

bool Statements::has_surplus(std::uint8_t dim) const {
  const ir::Program& program = state_.program();
  const ir::Interval grid = state_.ranges.of(ir::Id{ir::IdKind::grid, dim});
  const std::uint32_t group = program.workgroup[dim];
  if (ir::has_barrier(program.body)) return false;  // such a program runs in whole workgroups
  if (state_.workgroup_is_fixed) {
    return group != 1 && !(grid.is_one_value() && grid.lo % group == 0);
  }
  return !(group == 1 && grid == ir::Interval{1, 1});
}

void Statements::return_if_surplus() {
  std::string cond;
  for (std::uint8_t dim = 0; dim < 3; ++dim) {
    if (!has_surplus(dim)) continue;
    const ir::Expr grid = ir::Id{ir::IdKind::grid, dim};
    const bool fits_u32 = state_.ranges.of(grid).hi <= half_of_u32;
    const std::string own = fits_u32 ? expressions_.emit(ir::Id{ir::IdKind::invocation, dim}).text
                                     : state_.dialect.wide_invocation(dim);
    cond += (cond.empty() ? "" : " || ") + own +
            " >= " + expressions_.emit(grid).at(Precedence::additive);
  }
  if (!cond.empty()) line(fmt::format("if ({}) return;", cond));
}

}  // namespace vyre::emit
