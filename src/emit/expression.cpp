#include "emit/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "emit/lane_runs.h"
#include "emit/operators.h"

namespace vyre::emit {
namespace {

using ir::BinaryOp;
using ir::Expr;
using ir::UnaryOp;

// Compilers accept at least 256 open brackets; blocks may use 200 of them and macros of a language
// multiply what an expression needs by up to three.
constexpr std::uint32_t max_open_brackets = 16;

bool is_finite(Literal value) {
  if (value.scalar == Scalar::f32) {
    return std::isfinite(std::bit_cast<float>(static_cast<std::uint32_t>(value.bits)));
  }
  return value.scalar != Scalar::f64 || std::isfinite(std::bit_cast<double>(value.bits));
}

bool wraps_in_c(BinaryOp op) {
  using enum BinaryOp;
  return op == add || op == sub || op == mul || op == shl;
}

// A signed node whose plain C form is undefined when it overflows.
bool is_wrapping_node(const Expr& expr) {
  if (!is_signed(expr.type().scalar)) return false;
  return ir::match(
      expr, [](const ir::Binary& n) { return wraps_in_c(n.op); },
      [](const ir::Unary& n) { return n.op == UnaryOp::neg; },
      [](const ir::OneOf<Literal, ir::Var, ir::Id, ir::Load, ir::Fma, ir::Select, ir::Convert,
                         ir::Bitcast, ir::Splat, ir::Vector, ir::Lane, ir::Reduce> auto&) {
        return false;
      });
}

// The two lists have one order from abs on.
Function function_of(UnaryOp op) {
  constexpr auto first = static_cast<int>(UnaryOp::abs);
  static_assert(static_cast<int>(UnaryOp::clz) - first == static_cast<int>(Function::clz));
  return static_cast<Function>(static_cast<int>(op) - first);
}

constexpr std::array<std::string_view, 6> id_names = {"invocation", "local",  "group",
                                                      "workgroup",  "groups", "grid"};

}  // namespace

Code Expressions::emit(const Expr& expr) { return split_if_deep(visit(expr), expr.type()); }

Code Expressions::split_if_deep(Code code, ir::Type type) {
  if (bracket_depth(code.text) <= max_open_brackets) return code;
  std::string name = state_.names.fresh("part");
  parts_.push_back(
      fmt::format("const {} {} = {};", state_.dialect.type(type, state_.helpers), name, code.text));
  return {std::move(name)};
}

Code Expressions::visit(const Expr& expr) {
  const Dialect& dialect = state_.dialect;
  Helpers& helpers = state_.helpers;
  return ir::match(
      expr,
      [&](const Literal& n) {
        return is_finite(n) ? number(n, dialect.long_suffix) : dialect.float_from_bits(n);
      },
      [&](const ir::Var& n) { return var(n); }, [&](const ir::Id& n) { return id(n); },
      [&](const ir::Load& n) { return dialect.load(element(n.buffer, n.index, n.lanes), helpers); },
      [&](const ir::Unary& n) { return unary(expr, n); },
      [&](const ir::Binary& n) { return binary(expr, n); },
      [&](const ir::Fma& n) { return function(Function::fma, n.a, n.b, n.c); },
      [&](const ir::Select& n) { return select(n); },
      [&](const ir::Convert& n) {
        if (n.to == n.arg.type().scalar) return emit(n.arg);
        return dialect.convert(n.arg.type(), n.to, emit(n.arg), helpers);
      },
      [&](const ir::Bitcast& n) {
        if (n.to == n.arg.type().scalar) return emit(n.arg);
        return dialect.bitcast(n.arg.type(), n.to, emit(n.arg), helpers);
      },
      [&](const ir::Splat& n) { return dialect.splat(expr.type(), emit(n.arg), helpers); },
      [&](const ir::Vector& n) { return vector(expr, n); },
      [&](const ir::Lane& n) { return dialect.lane(n.vector.type(), emit(n.vector), n.lane); },
      [&](const ir::Reduce& n) {
        return dialect.reduce(n.op, n.vector.type(), emit(n.vector), helpers);
      });
}

Code Expressions::var(const ir::Var& node) {
  if (ir::find_uniform(state_.program(), node.name) != nullptr) {
    state_.used_uniforms.insert(node.name);
  }
  return {state_.names.of(node.name)};
}

Code Expressions::id(const ir::Id& node) {
  if (node.kind == ir::IdKind::grid) return emit(state_.program().grid[node.dim]);
  if (node.kind == ir::IdKind::workgroup && state_.workgroup_is_fixed) {
    return number({Scalar::u32, state_.program().workgroup[node.dim]});
  }
  std::string& name = state_.used_ids[{node.kind, node.dim}];
  if (name.empty()) {
    name = state_.names.fresh(
        fmt::format("{}_{}", id_names[static_cast<std::size_t>(node.kind)], "xyz"[node.dim]));
  }
  return {name};
}

Element Expressions::element(const std::string& buffer, const Expr& index, std::uint8_t lanes) {
  const ir::Buffer* declared = ir::find_buffer(state_.program(), buffer);
  const bool in_bounds = state_.ranges.of(index).hi + lanes <= state_.counts.at(buffer).lo;
  Element element{declared, state_.names.of(buffer), lanes,
                  in_bounds ? address(index) : emit(index), std::nullopt};
  if (!in_bounds) {
    element.count = emit(declared->count);
    ++state_.guarded;
  }
  return element;
}

// An index. Where x + 3 does not wrap, the sum is made of the widened x: then the compiler can
// leave adding 3 to the addressing of the instruction, which it may not do for a sum that could
// wrap.
Code Expressions::address(const Expr& index) {
  const auto* sum = ir::as<ir::Binary>(index);
  const bool constant_offset =
      sum != nullptr && sum->op == BinaryOp::add && ir::is<Literal>(sum->right);
  if (!constant_offset || index.type().scalar != Scalar::u32 || state_.ranges.may_wrap(index)) {
    return emit(index);
  }
  const Code wide = {"(size_t)" + emit(sum->left).at(Precedence::unary), Precedence::unary};
  return infix(BinaryOp::add, wide, emit(sum->right));
}

template <class... Operands>
Code Expressions::function(Function function, const Operands&... operands) {
  const std::array<Code, sizeof...(operands)> arguments = {emit(operands)...};
  const ir::Type type = std::get<0>(std::tie(operands...)).type();
  return state_.dialect.function(function, type, arguments, state_.helpers);
}

Code Expressions::unary(const Expr& expr, const ir::Unary& node) {
  const Scalar scalar = expr.type().scalar;
  switch (node.op) {
    case UnaryOp::neg:
      return is_signed(scalar) && state_.ranges.may_wrap(expr) ? wrapping(expr)
                                                               : prefix('-', emit(node.arg));
    case UnaryOp::bit_not:
      return prefix(scalar == Scalar::boolean ? '!' : '~', emit(node.arg));
    case UnaryOp::abs:
      return is_integer(scalar) && !is_signed(scalar) ? emit(node.arg)
                                                      : function(Function::abs, node.arg);
    default:
      return function(function_of(node.op), node.arg);
  }
}

Code Expressions::binary(const Expr& expr, const ir::Binary& node) {
  using enum BinaryOp;
  const ir::Type operands = node.left.type();
  if (node.op == min) return function(Function::min, node.left, node.right);
  if (node.op == max) return function(Function::max, node.left, node.right);
  if (node.op == pow) return function(Function::pow, node.left, node.right);
  if ((node.op == div || node.op == rem) && is_integer(operands.scalar)) return quotient(node);
  if (is_wrapping_node(expr) && (node.op == shl || state_.ranges.may_wrap(expr))) {
    return wrapping(expr);
  }
  if (node.op == shl || node.op == shr) return shift(node);
  const Code plain = infix(node.op, emit(node.left), emit(node.right));
  return ir::is_comparison(node.op) ? state_.dialect.comparison(operands, plain) : plain;
}

// Plain where the divisor can be neither 0 nor, for the least i32, -1; of 64 bits that is not
// known.
Code Expressions::quotient(const ir::Binary& node) {
  const ir::Interval divisor = state_.ranges.of(node.right);
  const ir::Interval dividend = state_.ranges.of(node.left);
  const bool can_overflow = node.left.type().scalar == Scalar::i32 && divisor.contains(-1) &&
                            dividend.contains(std::numeric_limits<std::int32_t>::min());
  if (is_word(node.left.type().scalar) && !divisor.contains(0) && !can_overflow) {
    return infix(node.op, emit(node.left), emit(node.right));
  }
  return function(node.op == BinaryOp::div ? Function::div : Function::rem, node.left, node.right);
}

Code Expressions::shift(const ir::Binary& node) {
  return infix(node.op, emit(node.left), shift_count(node.right, false));
}

Code Expressions::shift_count(const Expr& count, bool as_bits) {
  const Scalar scalar = count.type().scalar;
  const ir::Type type = {as_bits ? bits_of(scalar) : scalar, count.type().lanes};
  Code code = as_bits ? emit_bits(count) : emit(count);
  const bool is_small = is_word(scalar) && state_.ranges.of(count).within({0, 31});
  if (state_.dialect.shifts_modulo_bits || is_small) return code;
  Code mask = number({type.scalar, is_long(scalar) ? 63U : 31U}, state_.dialect.long_suffix);
  if (type.lanes > 1) mask = state_.dialect.splat(type, mask, state_.helpers);
  return infix(BinaryOp::bit_and, code, mask);
}

Code Expressions::wrapping(const Expr& expr) {
  const ir::Type type = expr.type();
  const ir::Type bits = {bits_of(type.scalar), type.lanes};
  return state_.dialect.bitcast(bits, type.scalar, emit_bits(expr), state_.helpers);
}

Code Expressions::emit_bits(const Expr& expr) {
  const ir::Type bits = {bits_of(expr.type().scalar), expr.type().lanes};
  const bool wraps = is_wrapping_node(expr);
  const auto cast = [&] {
    return state_.dialect.bitcast(expr.type(), bits.scalar, emit(expr), state_.helpers);
  };
  return ir::match(
      expr,
      [&](const Literal& n) { return number({bits.scalar, n.bits}, state_.dialect.long_suffix); },
      [&](const ir::Binary& n) {
        if (!wraps) return cast();
        Code right = n.op == BinaryOp::shl ? shift_count(n.right, true) : emit_bits(n.right);
        return split_if_deep(infix(n.op, emit_bits(n.left), right), bits);
      },
      [&](const ir::Unary& n) {
        return wraps ? split_if_deep(prefix('-', emit_bits(n.arg)), bits) : cast();
      },
      [&](const ir::Convert& n) {
        return n.arg.type().scalar == bits.scalar ? emit(n.arg) : cast();
      },
      [&](const ir::OneOf<ir::Var, ir::Id, ir::Load, ir::Fma, ir::Select, ir::Bitcast, ir::Splat,
                          ir::Vector, ir::Lane, ir::Reduce> auto&) { return cast(); });
}

Code Expressions::select(const ir::Select& node) {
  const Code cond = emit(node.cond);
  const Code yes = emit(node.yes);
  const Code no = emit(node.no);
  if (node.yes.type().lanes > 1) {
    return state_.dialect.select(node.yes.type(), cond, yes, no, state_.helpers);
  }
  return {fmt::format("{} ? {} : {}", cond.at(Precedence::bit_or), yes.at(Precedence::bit_or),
                      no.at(Precedence::bit_or)),
          Precedence::ternary};
}

// Lanes that all come from one or two variables: compilers make one instruction of a shuffle, but
// may take a vector put together from lanes apart.
std::optional<Code> Expressions::shuffle(const Expr& expr, const ir::Vector& node) {
  const ir::Type type = expr.type();
  if (state_.dialect.shuffle == nullptr || type.scalar == Scalar::boolean ||
      2 * type.lanes > ir::max_lanes) {
    return std::nullopt;
  }
  std::vector<Expr> sources;
  std::vector<std::uint8_t> picked;
  for (const Expr& lane : node.lanes) {
    const auto* from = ir::as<ir::Lane>(lane);
    if (from == nullptr || from->vector.type() != type || !ir::is<ir::Var>(from->vector)) {
      return std::nullopt;
    }
    auto source = std::ranges::find(sources, from->vector);
    if (source == sources.end()) source = sources.insert(source, from->vector);
    if (sources.size() > 2) return std::nullopt;
    const auto position = static_cast<std::size_t>(source - sources.begin());
    picked.push_back(static_cast<std::uint8_t>(position * type.lanes + from->lane));
  }
  return state_.dialect.shuffle(type, emit(sources.front()), emit(sources.back()), picked);
}

Code Expressions::vector(const Expr& expr, const ir::Vector& node) {
  if (auto shuffled = shuffle(expr, node)) return *std::move(shuffled);
  std::vector<Code> lanes;
  if (state_.dialect.swizzle == nullptr || expr.type().scalar == Scalar::boolean) {
    for (const Expr& lane : node.lanes) lanes.push_back(emit(lane));
  } else {
    for (const LaneRun& run : lane_runs(node)) {
      const Code from = emit(run.from);
      lanes.push_back(run.is_whole() ? from : state_.dialect.swizzle(from, run.lanes));
    }
  }
  return state_.dialect.vector(expr.type(), lanes, state_.helpers);
}

}  // namespace vyre::emit
