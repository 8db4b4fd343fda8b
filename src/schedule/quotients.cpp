#include "schedule/quotients.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "ir/definitions.h"
#include "ir/fold.h"
#include "ir/polynomial.h"
#include "ir/rewrite.h"

namespace vyre::schedule {
namespace {

using ir::Binary;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;

// What is assumed of the first item's number, so that all arithmetic on it is exact.
constexpr std::uint32_t most_items = 1U << 20U;
constexpr std::int64_t far_off = 1 << 16U;

// factor * first + offset; dyadic, so that a double holds it.
struct Affine {
  double factor = 0;
  double offset = 0;
};

// The least power of two that is in a number: 0.25 of 1.75.
double grain(double value) {
  if (value == 0) return HUGE_VAL;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  const auto bits = static_cast<std::int64_t>(std::ldexp(std::abs(mantissa), 53));
  return std::ldexp(1.0, exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(bits)));
}

class QuotientFinder {
 public:
  QuotientFinder(const Block& body, const FirstItem& first)
      : first_(first), definitions_(mutable_names(body)) {}

  Block block(const Block& body) {
    const ir::Definitions outside = definitions_;
    Block made;
    for (const ir::Stmt& stmt : body) {
      made.push_back(with_parts(
          stmt, [&](const Expr& e) { return expr(e); },
          [&](const Block& inner) { return block(inner); }));
      if (const auto* let = ir::as<ir::Let>(made.back())) definitions_.define(*let);
    }
    definitions_ = outside;
    return made;
  }

  [[nodiscard]] bool changed() const { return changed_; }
  [[nodiscard]] std::vector<Expr> tests() const {
    std::vector<Expr> made;
    if (is_bounded_) made.push_back(compared(BinaryOp::le, first_.name, ir::literal(most_items)));
    if (least_ > 0) made.push_back(compared(BinaryOp::ge, first_.name, ir::literal(least_)));
    return made;
  }

 private:
  // What is found in an expression counts only if the whole is of use.
  struct Needs {
    std::int64_t least = 0;  // the least first item
    bool bounded = false;    // no more than most_items
  };

  Expr expr(const Expr& from) {
    return map_exprs(from, [&](const Expr& e) {
      Needs needs;
      const auto made = e.type().lanes == 1 ? simple(e, needs) : std::nullopt;
      if (!made) return e;
      changed_ = true;
      least_ = std::max(least_, static_cast<std::uint32_t>(needs.least));
      is_bounded_ = is_bounded_ || needs.bounded;
      return *made;
    });
  }

  std::optional<Expr> simple(const Expr& e, Needs& needs) const {
    if (const auto* node = ir::as<Binary>(e)) return divided(*node, needs);
    const auto* conversion = ir::as<ir::Convert>(e);
    if (conversion == nullptr || !is_word(conversion->to)) return std::nullopt;
    return is_float(conversion->arg.type().scalar) ? truncated(*conversion, needs) : std::nullopt;
  }

  // By how much the expression is ahead of the first item, if no more can be in it.
  [[nodiscard]] std::optional<std::int64_t> ahead(const Expr& e) const {
    if (e.type() != ir::Type{Scalar::u32}) return std::nullopt;
    const auto found = polynomial_of(definitions_.expanded(e));
    if (!found || found->empty() || found->size() > 2) return std::nullopt;
    std::int64_t offset = 0;
    bool has_first = false;
    for (const auto& [monomial, factor] : *found) {
      if (monomial.empty()) {
        offset = static_cast<std::int32_t>(factor);
      } else if (monomial == ir::Monomial{first_.name.name} && factor == 1) {
        has_first = true;
      } else {
        return std::nullopt;
      }
    }
    return has_first && std::abs(offset) < far_off ? std::optional(offset) : std::nullopt;
  }

  // The number itself needs no bound where it is that of one of the items.
  void need(std::int64_t offset, Needs& needs) const {
    if (offset < 0) needs.least = std::max(needs.least, -offset);
    if (offset >= first_.count) needs.bounded = true;
  }

  static std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
  }

  // invocation * factor + offset, modulo 2^32.
  [[nodiscard]] Expr number(std::int64_t factor, std::int64_t offset, Scalar to) const {
    const Expr made =
        plus(times(first_.invocation, ir::literal(static_cast<std::uint32_t>(factor))),
             ir::literal(static_cast<std::uint32_t>(offset)));
    return to == Scalar::u32 ? made : Expr(ir::Convert{to, made});
  }

  std::optional<Expr> divided(const Binary& node, Needs& needs) const {
    const auto bits = literal_bits(node.right);
    if (!bits || node.left.type() != ir::Type{Scalar::u32}) return std::nullopt;
    const bool by_shift = node.op == BinaryOp::shr && *bits < 16;
    const bool by_mask = node.op == BinaryOp::bit_and && std::has_single_bit(*bits + 1);
    const bool is_rest = node.op == BinaryOp::rem || by_mask;
    if (!by_shift && !is_rest && node.op != BinaryOp::div) return std::nullopt;
    const std::uint32_t by = by_shift ? 1U << *bits : by_mask ? *bits + 1 : *bits;
    if (by < 2 || first_.count % by != 0) return std::nullopt;
    const auto offset = ahead(node.left);
    if (!offset) return std::nullopt;
    need(*offset, needs);
    const std::int64_t whole = floor_div(*offset, by);
    if (is_rest) return ir::literal(static_cast<std::uint32_t>(*offset - whole * by));
    return number(first_.count / by, whole, Scalar::u32);
  }

  // Where the value is not negative, it is rounded down.
  std::optional<Expr> truncated(const ir::Convert& node, Needs& needs) const {
    const auto value = affine(definitions_.expanded(node.arg), needs);
    if (!value || value->factor <= 0) return std::nullopt;
    const double step = value->factor * first_.count;
    if (step != std::floor(step) || step > far_off || !above(*value, 0, needs)) return std::nullopt;
    needs.bounded = true;
    return number(static_cast<std::int64_t>(step),
                  static_cast<std::int64_t>(std::floor(value->offset)), node.to);
  }

  // From which item on the value is not below a bound.
  [[nodiscard]] static bool above(const Affine& value, double bound, Needs& needs) {
    if (value.factor < 0) return false;
    if (value.factor == 0) return value.offset >= bound;
    const double from = std::ceil((bound - value.offset) / value.factor);
    if (from > static_cast<double>(far_off)) return false;
    needs.least = std::max(needs.least, static_cast<std::int64_t>(from));
    return true;
  }

  // A float that is computed without rounding for all items that are allowed.
  std::optional<Affine> affine(const Expr& e, Needs& needs) const {
    const auto value = match(
        e, [](const Literal& n) { return number_in(n); },
        [&](const ir::Convert& n) { return converted(n, needs); },
        [&](const Binary& n) { return combined(n, needs); },
        [&](const ir::Fma& n) { return added(multiplied(n.a, n.b, needs), affine(n.c, needs)); },
        [&](const ir::Unary& n) { return rounded(n, needs); },
        [](const ir::OneOf<ir::Var, ir::Id, ir::Load, ir::Select, ir::Bitcast, ir::Splat,
                           ir::Vector, ir::Lane, ir::Reduce> auto&) -> std::optional<Affine> {
          return std::nullopt;
        });
    return value && is_exact(*value) ? value : std::nullopt;
  }

  // In 24 bits, so that products of two are exact in the double that holds them.
  static bool is_exact(const Affine& value) {
    const double most = std::abs(value.factor) * most_items + std::abs(value.offset);
    const double finest = std::min(grain(value.factor), grain(value.offset));
    return most == 0 || most <= 0x1p24 * finest;
  }

  static std::optional<Affine> number_in(const Literal& n) {
    if (!is_float(n.scalar)) return std::nullopt;
    const double value = n.scalar == Scalar::f32
                             ? std::bit_cast<float>(static_cast<std::uint32_t>(n.bits))
                             : std::bit_cast<double>(n.bits);
    return std::isfinite(value) ? std::optional(Affine{0, value}) : std::nullopt;
  }

  std::optional<Affine> converted(const ir::Convert& n, Needs& needs) const {
    const auto offset = is_float(n.to) ? ahead(n.arg) : std::nullopt;
    if (!offset) return std::nullopt;
    need(*offset, needs);
    return Affine{1, static_cast<double>(*offset)};
  }

  static std::optional<Affine> added(const std::optional<Affine>& a,
                                     const std::optional<Affine>& b) {
    if (!a || !b) return std::nullopt;
    return Affine{a->factor + b->factor, a->offset + b->offset};
  }

  std::optional<Affine> multiplied(const Expr& left, const Expr& right, Needs& needs) const {
    auto a = affine(left, needs);
    auto b = affine(right, needs);
    if (!a || !b || (a->factor != 0 && b->factor != 0)) return std::nullopt;
    if (a->factor != 0) std::swap(a, b);
    return Affine{a->offset * b->factor, a->offset * b->offset};
  }

  std::optional<Affine> combined(const Binary& n, Needs& needs) const {
    if (n.op == BinaryOp::mul) return multiplied(n.left, n.right, needs);
    const auto a = affine(n.left, needs);
    const auto b = affine(n.right, needs);
    if (!a || !b) return std::nullopt;
    if (n.op == BinaryOp::add) return added(a, b);
    if (n.op == BinaryOp::sub) return added(a, Affine{-b->factor, -b->offset});
    if (n.op == BinaryOp::div) {
      const bool halves = b->factor == 0 && b->offset > 0 && grain(b->offset) == b->offset;
      return halves ? std::optional(Affine{a->factor / b->offset, a->offset / b->offset})
                    : std::nullopt;
    }
    if (n.op != BinaryOp::max) return std::nullopt;
    const bool left = b->factor == 0;
    if (!left && a->factor != 0) return std::nullopt;
    return above(left ? *a : *b, left ? b->offset : a->offset, needs) ? left ? a : b : std::nullopt;
  }

  std::optional<Affine> rounded(const ir::Unary& n, Needs& needs) const {
    if (n.op != ir::UnaryOp::floor) return std::nullopt;
    const auto value = affine(n.arg, needs);
    const double step = value ? value->factor * first_.count : 0.5;
    if (step != std::floor(step)) return std::nullopt;
    return Affine{value->factor, std::floor(value->offset)};
  }

  const FirstItem& first_;
  ir::Definitions definitions_;
  std::uint32_t least_ = 0;
  bool is_bounded_ = false;
  bool changed_ = false;
};

}  // namespace

Simplified with_quotients(const Block& body, const FirstItem& first) {
  QuotientFinder finder(body, first);
  Block made = finder.block(body);
  if (!finder.changed()) return {.body = body, .tests = {}};
  return {.body = std::move(made), .tests = finder.tests(), .changed = true};
}

}  // namespace vyre::schedule
