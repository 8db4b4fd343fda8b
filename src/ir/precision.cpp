#include "ir/precision.h"

#include <bit>

#include "ir/rewrite.h"
#include "ir/visit.h"

namespace vyre::ir {
namespace {

double value_of(Literal literal) {
  if (literal.scalar == Scalar::f64) return std::bit_cast<double>(literal.bits);
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(literal.bits)));
}

struct Change {
  Scalar from;
  Scalar to;

  // An f16 is loaded and stored as f32, and goes with it.
  [[nodiscard]] Scalar operator()(Scalar scalar) const {
    return value_type(scalar) == from ? to : scalar;
  }
  [[nodiscard]] Type operator()(Type type) const { return {(*this)(type.scalar), type.lanes}; }
  [[nodiscard]] Literal operator()(Literal literal) const {
    if (literal.scalar != from) return literal;
    const double value = value_of(literal);
    if (to == Scalar::f64) return {to, std::bit_cast<std::uint64_t>(value)};
    return {to, std::bit_cast<std::uint32_t>(static_cast<float>(value))};
  }

  // Requires: its operands are changed.
  [[nodiscard]] Expr operator()(const Expr& e) const {
    return match(
        e, [&](const Literal& n) { return Expr((*this)(n), e.place()); },
        [&](const Var& n) { return Expr(Var{n.name, (*this)(n.type)}, e.place()); },
        [&](const Load& n) {
          return Expr(Load{n.buffer, (*this)(n.element), n.index, n.lanes}, e.place());
        },
        [&](const Convert& n) { return Expr(Convert{(*this)(n.to), n.arg}, e.place()); },
        [&](const OneOf<Id, Unary, Binary, Fma, Select, Bitcast, Splat, Vector, Lane,
                        Reduce> auto&) { return e; });
  }
};

bool looks_at_bits(const Program& program, Scalar scalar) {
  return any_expr(program, [&](const Expr& e) {
    const auto* cast = as<Bitcast>(e);
    return cast != nullptr && (cast->to == scalar || cast->arg.type().scalar == scalar);
  });
}

}  // namespace

Result<Program> in_precision(const Program& program, Scalar from, Scalar to) {
  if (looks_at_bits(program, from)) {
    return fail(ErrorKind::input, "the program looks at the bits of floats");
  }
  const Change change{from, to};
  Program made = program;
  for (Buffer& buffer : made.buffers) buffer.element = change(buffer.element);
  for (Uniform& uniform : made.uniforms) uniform.value = change(uniform.value);
  made.body = map_exprs(program.body, change);
  for (Stage& stage : made.then) stage.body = map_exprs(stage.body, change);
  return made;
}

Uniforms in_precision(const Uniforms& uniforms, Scalar from, Scalar to) {
  Uniforms made = uniforms;
  for (auto& [name, value] : made) value = Change{from, to}(value);
  return made;
}

}  // namespace vyre::ir
