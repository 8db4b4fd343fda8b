#include "interpret/expressions.h"

#include <array>

#include "interpret/kernels.h"
#include "ir/visit.h"

namespace vyre::interpret {

using Origin = Value::Origin;

Expressions::Expressions(const ir::Program& program, const ir::Uniforms& uniforms,
                         const Shape& shape, Tape& tape)
    : program_(program), uniforms_(uniforms), shape_(shape), tape_(tape) {
  for (const ir::Buffer& buffer : program.buffers) {
    buffers_.emplace(buffer.name, static_cast<std::uint32_t>(buffers_.size()));
  }
}

Value Expressions::compile(const ir::Expr& expr, const ir::Stmt& stmt) {
  const ir::Type type = expr.type();
  const auto apply = [&](Kernel kernel, std::initializer_list<ir::Expr> operands) {
    return compute(kernel, type, operands, stmt);
  };
  return match(
      expr, [&](const Literal& n) { return node(n); }, [&](const ir::Var& n) { return node(n); },
      [&](const ir::Id& n) { return node(n); }, [&](const ir::Load& n) { return node(n, stmt); },
      [&](const ir::Unary& n) { return apply(kernels::unary(n.op, type.scalar), {n.arg}); },
      [&](const ir::Binary& n) {
        return apply(kernels::binary(n.op, n.left.type().scalar), {n.left, n.right});
      },
      [&](const ir::Fma& n) { return apply(kernels::fma(type.scalar), {n.a, n.b, n.c}); },
      [&](const ir::Select& n) {
        return apply(kernels::select(type.scalar), {n.cond, n.yes, n.no});
      },
      [&](const ir::Convert& n) {
        return apply(kernels::convert(n.to, n.arg.type().scalar), {n.arg});
      },
      [&](const ir::Bitcast& n) {
        return apply(kernels::bitcast(n.to, n.arg.type().scalar), {n.arg});
      },
      [&](const ir::Splat& n) { return apply(kernels::splat(type.scalar), {n.arg}); },
      [&](const ir::Vector& n) { return node(n, type, stmt); },
      [&](const ir::OneOf<ir::Lane, ir::Reduce> auto& n) { return node(n, stmt); });
}

Value Expressions::node(const Literal& n) {
  const auto [entry, is_new] = constants_.try_emplace({n.scalar, n.bits});
  if (is_new) {
    entry->second = registers_.fixed(columns_of({n.scalar}));
    tape_.constants.push_back({n, entry->second});
  }
  return {.column = entry->second};
}

Value Expressions::node(const ir::Var& n) {
  if (const auto found = names_.find(n.name); found != names_.end()) {
    Value value = found->second;
    value.owned = {};  // the name keeps it
    return value;
  }
  return node(ir::uniform_value(program_, n.name, uniforms_));
}

Value Expressions::node(const ir::Id& n) {
  switch (n.kind) {
    case ir::IdKind::workgroup:
      return node(Literal{Scalar::u32, shape_.workgroup[n.dim]});
    case ir::IdKind::groups:
      return node(Literal{Scalar::u32, shape_.groups[n.dim]});
    case ir::IdKind::grid:
      return node(Literal{Scalar::u32, shape_.grid[n.dim]});
    default:
      break;
  }
  const auto [entry, is_new] = ids_.try_emplace({n.kind, n.dim});
  if (is_new) {
    entry->second = registers_.fixed(1);
    tape_.ids.push_back({n, entry->second});
  }
  return {.column = entry->second};
}

Value Expressions::node(const ir::Load& n, const ir::Stmt& stmt) {
  const std::uint32_t buffer = buffer_named(n.buffer);
  const Value index = compile(n.index, stmt);
  const Value to = temporary({value_type(n.element), n.lanes});
  emit(Load{{buffer, index.column, to.column, n.lanes, &stmt}});
  tape_.uses[buffer].loads = true;
  release(index);
  return to;
}

Value Expressions::node(const ir::Vector& n, ir::Type type, const ir::Stmt& stmt) {
  const Value to = temporary(type);
  const ir::Type lane = {type.scalar};
  Column column = to.column;
  for (const ir::Expr& expr : n.lanes) {
    const Value from = compile(expr, stmt);
    emit(Compute{kernels::copy(type.scalar), column, from.column});
    release(from);
    column += columns_of(lane);
  }
  return to;
}

// A lane is a part of the vector's register: nothing to compute.
Value Expressions::node(const ir::Lane& n, const ir::Stmt& stmt) {
  Value value = compile(n.vector, stmt);
  value.column += n.lane * columns_of({n.vector.type().scalar});
  return value;
}

// Halves that are combined lane by lane.
Value Expressions::node(const ir::Reduce& n, const ir::Stmt& stmt) {
  const Scalar scalar = n.vector.type().scalar;
  Value whole = compile(n.vector, stmt);
  for (std::uint8_t lanes = n.vector.type().lanes / 2; lanes > 0; lanes /= 2) {
    const ir::Type half = {scalar, lanes};
    const Value to = temporary(half);
    emit(Compute{.kernel = kernels::binary(n.op, scalar),
                 .to = to.column,
                 .a = whole.column,
                 .b = whole.column + columns_of(half),
                 .lanes = lanes});
    release(whole);
    whole = to;
  }
  return whole;
}

// The result's register is taken before the operands' are released, so that they are distinct.
Value Expressions::compute(Kernel kernel, ir::Type type, std::initializer_list<ir::Expr> operands,
                           const ir::Stmt& stmt) {
  std::array<Value, 3> from;
  std::size_t count = 0;
  for (const ir::Expr& operand : operands) from[count++] = compile(operand, stmt);
  const Value to = temporary(type);
  emit(Compute{kernel, to.column, from[0].column, from[1].column, from[2].column, type.lanes});
  for (const Value& value : from) release(value);
  return to;
}

Value Expressions::temporary(ir::Type type) {
  const Register taken = registers_.take(columns_of(type));
  return {taken.column, Origin::temporary, taken};
}

Value Expressions::copied(const Value& value, ir::Type type) {
  const Value to = temporary(type);
  emit(Compute{.kernel = kernels::copy(type.scalar),
               .to = to.column,
               .a = value.column,
               .lanes = type.lanes});
  release(value);
  return to;
}

Value Expressions::kept(const Value& value, ir::Type type) {
  Value result = value.origin == Origin::variable ? copied(value, type) : value;
  result.origin = Origin::lasting;
  return result;
}

Value Expressions::own(const Value& value, ir::Type type) {
  Value result = value.origin == Origin::temporary ? value : copied(value, type);
  result.origin = Origin::variable;
  return result;
}

void Expressions::unbind(std::string_view name) {
  const auto found = names_.find(name);
  release(found->second);
  names_.erase(found);
}

std::uint32_t Expressions::cost(const ir::Expr& expr) {
  std::uint32_t steps = 0;
  ir::for_each_expr(expr, [&](const ir::Expr& e) {
    steps += match(
        e, [](const ir::OneOf<Literal, ir::Var, ir::Id> auto&) { return 0U; },
        [](const ir::OneOf<ir::Load, ir::Unary, ir::Binary, ir::Fma, ir::Select, ir::Convert,
                           ir::Bitcast, ir::Splat, ir::Vector, ir::Lane, ir::Reduce> auto&) {
          return 1U;
        });
  });
  return steps;
}

}  // namespace vyre::interpret
