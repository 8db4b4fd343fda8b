#include "support/random_expr.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace vyre::testing {

using namespace ir;  // NOLINT(google-build-using-namespace): this file is about nothing else

namespace {

constexpr std::array all_scalars = {Scalar::boolean, Scalar::u32, Scalar::i32, Scalar::u64,
                                    Scalar::i64,     Scalar::f32, Scalar::f64};
constexpr std::array<std::uint8_t, 5> lane_counts = {1, 2, 4, 8, 16};

}  // namespace

std::span<const Scalar> random_scalars(bool f64) {
  return std::span(all_scalars).first(all_scalars.size() - (f64 ? 0 : 1));
}

std::span<const Scalar> narrow_scalars() {
  static constexpr std::array all = {Scalar::u8, Scalar::i8, Scalar::u16, Scalar::i16, Scalar::f16};
  return all;
}

Scalar RandomExpr::any_scalar() { return random_.pick(scalars_); }

Type RandomExpr::any_type() {
  const bool vector = vectors_ && random_.one_in(3);
  return {any_scalar(), vector ? random_.pick(lane_counts) : std::uint8_t{1}};
}

// Small, large, at the edge of 32 bits, or anything.
std::uint64_t RandomExpr::long_word(std::uint32_t word) {
  switch (random_.below(4)) {
    case 0:
      return word;
    case 1:
      return std::uint64_t{word} << 32U;
    case 2:
      return 0x1'0000'0000ULL + std::uint64_t{word & 3U} - 2;
    default:
      return random_.bits();
  }
}

Expr RandomExpr::literal_of(Scalar scalar) {
  constexpr std::array<std::uint32_t, 9> words = {0, 1, 2, 3, 31, 32, 255, 0x7fffffff, 0x80000000};
  constexpr std::array<float, 10> floats = {
      0.0F,   -0.0F,    1.0F,   -1.5F, 0.1F,
      3.0e9F, -2.5e-3F, 1e-40F, 1e30F, std::numeric_limits<float>::infinity()};
  const std::uint32_t word =
      random_.one_in(3) ? static_cast<std::uint32_t>(random_.bits()) : random_.pick(words);
  switch (scalar) {
    case Scalar::boolean:
      return literal(random_.one_in(2));
    case Scalar::u32:
      return literal(word);
    case Scalar::i32:
      return literal(std::bit_cast<std::int32_t>(random_.one_in(3) ? 0U - (word & 15U) : word));
    case Scalar::u64:
      return literal(long_word(word));
    case Scalar::i64:
      return literal(
          std::bit_cast<std::int64_t>(random_.one_in(3) ? 0U - (word & 15ULL) : long_word(word)));
    case Scalar::f32:
      return literal(random_.pick(floats));
    default:
      return literal(static_cast<double>(random_.pick(floats)) / 3.0);
  }
}

Expr RandomExpr::id() {
  constexpr std::array kinds = {IdKind::invocation, IdKind::local,  IdKind::group,
                                IdKind::workgroup,  IdKind::groups, IdKind::grid};
  if (!groups_) {
    const IdKind kind = random_.one_in(3) ? IdKind::grid : IdKind::invocation;
    return Id{kind, static_cast<std::uint8_t>(random_.below(3))};
  }
  return Id{random_.pick(kinds), static_cast<std::uint8_t>(random_.below(3))};
}

// A name of the type, a literal, an id; vectors by splat or by lanes.
Expr RandomExpr::leaf(Type type) {
  std::vector<const KnownName*> fitting;
  for (const KnownName& known : names_) {
    if (known.type == type) fitting.push_back(&known);
  }
  if (!fitting.empty() && !random_.one_in(3)) {
    const KnownName* known = random_.pick(fitting);
    return Var{known->name, known->type};
  }
  if (type.lanes > 1) {
    if (random_.one_in(2)) return Splat{type.lanes, leaf({type.scalar})};
    Vector made;
    for (int i = 0; i < type.lanes; ++i) made.lanes.push_back(leaf({type.scalar}));
    return made;
  }
  if (type.scalar == Scalar::u32 && random_.one_in(2)) return id();
  return literal_of(type.scalar);
}

Expr RandomExpr::index_below(std::uint32_t bound, int depth) {
  Expr any = exact({Scalar::u32}, depth - 1);
  if (random_.one_in(3)) return Binary{BinaryOp::min, std::move(any), literal(bound - 1)};
  return Binary{BinaryOp::rem, std::move(any), literal(bound)};
}

Expr RandomExpr::load(Type type, int depth) {
  std::vector<const Readable*> fitting;
  if (blind_) return leaf(type);
  for (const Readable& r : readable_) {
    if (value_type(r.element) == type.scalar && r.count >= type.lanes) fitting.push_back(&r);
  }
  if (fitting.empty()) return leaf(type);
  const Readable* from = random_.pick(fitting);
  if (near_ && from->is_long && random_.one_in(2)) {
    const Expr offset = literal(random_.below(max_lanes));
    return Load{from->name, from->element, Binary{BinaryOp::add, *near_, offset}, type.lanes};
  }
  // Operands are made inside braces throughout: there their order is the same for every compiler.
  return Load{from->name, from->element, index_below(from->count - type.lanes + 1U, depth),
              type.lanes};
}

Expr RandomExpr::converted(Type type, int depth) {
  const Scalar from = any_scalar();
  return Convert{type.scalar, exact({from, type.lanes}, depth - 1)};
}

// Bits of a float that is certainly not a nan, whose bits devices do not agree on.
Expr RandomExpr::float_bits(Type type) {
  if (blind_) return leaf(type);
  for (const Readable& r : readable_) {
    if (r.element == Scalar::f32 && r.count >= type.lanes) {
      return Bitcast{type.scalar, Load{r.name, Scalar::f32,
                                       index_below(r.count - type.lanes + 1U, 1), type.lanes}};
    }
  }
  return leaf(type);
}

Expr RandomExpr::exact(Type type, int depth) {
  if (depth <= 0) return leaf(type);
  return node(type, depth);
}

Expr RandomExpr::node(Type type, int depth) {
  switch (random_.below(8)) {
    case 0:
      return load(type, depth);
    case 1:
      return Select{exact({Scalar::boolean, type.lanes}, depth - 1), exact(type, depth - 1),
                    exact(type, depth - 1)};
    case 2:
      return converted(type, depth);
    case 3:
      if (type.lanes == 1 && !vectors_) return leaf(type);
      if (type.lanes == 1) {
        const std::uint8_t lanes = random_.pick(lane_counts);
        if (lanes == 1) return leaf(type);
        if (random_.one_in(2)) return reduced({type.scalar, lanes}, depth);
        return Lane{exact({type.scalar, lanes}, depth - 1),
                    static_cast<std::uint8_t>(random_.below(lanes))};
      }
      return leaf(type);
    default:
      break;
  }
  if (type.scalar == Scalar::boolean) return boolean(type, depth);
  return is_integer(type.scalar) ? integer(type, depth) : floating(type, depth);
}

// Of two zeros min and max give either, so floats are only added.
Expr RandomExpr::reduced(Type vector, int depth) {
  constexpr std::array ops = {BinaryOp::add, BinaryOp::min, BinaryOp::max};
  if (vector.scalar == Scalar::boolean) {
    const BinaryOp any_or_all = random_.one_in(2) ? BinaryOp::bit_or : BinaryOp::bit_and;
    return Reduce{any_or_all, exact(vector, depth - 1)};
  }
  const BinaryOp op = is_float(vector.scalar) ? BinaryOp::add : random_.pick(ops);
  return Reduce{op, exact(vector, depth - 1)};
}

Expr RandomExpr::boolean(Type type, int depth) {
  constexpr std::array logic = {BinaryOp::bit_and, BinaryOp::bit_or, BinaryOp::bit_xor,
                                BinaryOp::eq, BinaryOp::ne};
  constexpr std::array comparisons = {BinaryOp::eq, BinaryOp::ne, BinaryOp::lt,
                                      BinaryOp::le, BinaryOp::gt, BinaryOp::ge};
  if (random_.one_in(4)) return Unary{UnaryOp::bit_not, exact(type, depth - 1)};
  if (random_.one_in(3)) {
    return Binary{random_.pick(logic), exact(type, depth - 1), exact(type, depth - 1)};
  }
  const Type operand = {random_.pick(scalars_.subspan(1)), type.lanes};
  return Binary{random_.pick(comparisons), exact(operand, depth - 1), exact(operand, depth - 1)};
}

Expr RandomExpr::integer(Type type, int depth) {
  constexpr std::array ops = {BinaryOp::add,    BinaryOp::sub,     BinaryOp::mul, BinaryOp::div,
                              BinaryOp::rem,    BinaryOp::min,     BinaryOp::max, BinaryOp::bit_and,
                              BinaryOp::bit_or, BinaryOp::bit_xor, BinaryOp::shl, BinaryOp::shr};
  constexpr std::array unary_ops = {UnaryOp::neg, UnaryOp::bit_not, UnaryOp::abs, UnaryOp::popcount,
                                    UnaryOp::clz};
  if (random_.one_in(5)) return Unary{random_.pick(unary_ops), exact(type, depth - 1)};
  if (is_word(type.scalar) && random_.one_in(12)) return float_bits(type);
  if (is_word(type.scalar) && random_.one_in(12)) {
    const Scalar other = type.scalar == Scalar::u32 ? Scalar::i32 : Scalar::u32;
    return Bitcast{type.scalar, exact({other, type.lanes}, depth - 1)};
  }
  return Binary{random_.pick(ops), exact(type, depth - 1), exact(type, depth - 1)};
}

Expr RandomExpr::floating(Type type, int depth) {
  constexpr std::array ops = {BinaryOp::add, BinaryOp::sub, BinaryOp::mul};
  constexpr std::array unary_ops = {UnaryOp::neg, UnaryOp::abs, UnaryOp::floor, UnaryOp::ceil,
                                    UnaryOp::round};
  if (random_.one_in(4)) return Unary{random_.pick(unary_ops), exact(type, depth - 1)};
  if (random_.one_in(5)) {
    return Fma{exact(type, depth - 1), exact(type, depth - 1), exact(type, depth - 1)};
  }
  if (type.scalar == Scalar::f32 && random_.one_in(10)) {
    const Scalar from = random_.one_in(2) ? Scalar::u32 : Scalar::i32;
    return Bitcast{Scalar::f32, exact({from, type.lanes}, depth - 1)};
  }
  return Binary{random_.pick(ops), exact(type, depth - 1), exact(type, depth - 1)};
}

Expr RandomExpr::loose(Type type, int depth) {
  constexpr std::array unary_ops = {UnaryOp::sqrt, UnaryOp::exp, UnaryOp::log,  UnaryOp::sin,
                                    UnaryOp::cos,  UnaryOp::tan, UnaryOp::tanh, UnaryOp::rsqrt,
                                    UnaryOp::exp2, UnaryOp::log2};
  constexpr std::array binary_ops = {BinaryOp::div, BinaryOp::min, BinaryOp::max, BinaryOp::pow};
  if (!is_float(type.scalar) || random_.one_in(3)) return exact(type, depth);
  if (random_.one_in(2)) return Unary{random_.pick(unary_ops), exact(type, depth - 1)};
  return Binary{random_.pick(binary_ops), exact(type, depth - 1), exact(type, depth - 1)};
}

}  // namespace vyre::testing
