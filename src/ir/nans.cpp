#include "ir/nans.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ir/visit.h"

namespace vyre::ir {
namespace {

bool is_nan(const Literal& literal) {
  if (literal.scalar == Scalar::f32) {
    return std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(literal.bits)));
  }
  return std::isnan(std::bit_cast<double>(literal.bits));
}

}  // namespace

Nans::Nans(const Program& program, Loaded loaded)
    : loaded_(loaded), private_(private_names(program)) {
  for (const Uniform& uniform : program.uniforms) doubtful_.insert(uniform.name);
  while (add_doubtful(program.body)) {
  }
}

// Whether there were any that were not known to be.
bool Nans::add_doubtful(const Block& body) {
  const std::size_t before = doubtful_.size();
  const auto add = [&](const std::string& name, const Expr& value) {
    if (may_be(value)) doubtful_.insert(name);
  };
  for_each_stmt(body, [&](const Stmt& stmt) {
    match(
        stmt, [&](const OneOf<Let, Assign> auto& s) { add(s.name, s.value); },
        [&](const OneOf<Store, AtomicAdd> auto& s) { add(s.buffer, s.value); },
        [](const OneOf<If, For, While, Break, Barrier, Region> auto&) {});
  });
  return doubtful_.size() > before;
}

bool Nans::may_be(const Expr& expr) const {
  if (!is_float(expr.type().scalar)) return false;
  const auto any = [&](const Expr& operand) { return may_be(operand); };
  return match(
      expr, [](const Literal& n) { return is_nan(n); },
      [&](const Var& n) { return doubtful_.contains(n.name); }, [](const Id&) { return false; },
      [&](const Load& n) {
        return private_.contains(n.buffer) ? doubtful_.contains(n.buffer)
                                           : loaded_ == Loaded::may_be_nan;
      },
      [&](const Unary& n) {
        return (n.op != UnaryOp::neg && n.op != UnaryOp::abs) || may_be(n.arg);
      },
      [&](const Binary& n) {
        const bool prefers_numbers = n.op == BinaryOp::min || n.op == BinaryOp::max;
        return !prefers_numbers || (may_be(n.left) && may_be(n.right));
      },
      [](const OneOf<Fma, Bitcast> auto&) { return true; },
      [&](const Reduce& n) { return n.op == BinaryOp::add || may_be(n.vector); },
      [&](const Select& n) { return may_be(n.yes) || may_be(n.no); },
      [&](const OneOf<Convert, Splat, Vector, Lane> auto&) { return any_operand(expr, any); });
}

}  // namespace vyre::ir
