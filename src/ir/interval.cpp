#include "ir/interval.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace vyre::ir {
namespace {

constexpr std::int64_t i64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t u32_max = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t i32_max = std::numeric_limits<std::int32_t>::max();

std::int64_t bounded_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? i64_max : -i64_max;
}

template <class Operation>
Interval corners(Interval a, Interval b, Operation f) {
  const std::array<std::int64_t, 4> all = {f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo),
                                           f(a.hi, b.hi)};
  return {*std::ranges::min_element(all), *std::ranges::max_element(all)};
}

std::int64_t magnitude(Interval a) { return std::max(std::abs(a.lo), std::abs(a.hi)); }

Interval divide(Interval a, Interval b) {
  if (b.lo > 0) return corners(a, b, [](std::int64_t x, std::int64_t y) { return x / y; });
  // Division by zero gives zero, by one in size the dividend.
  if (a.lo >= 0 && b.lo >= 0) return {0, a.hi};
  return {-magnitude(a), magnitude(a)};
}

Interval remainder(Interval a, Interval b) {
  if (a.lo >= 0 && a.hi < b.lo) return a;
  const bool one_period = a.lo >= 0 && b.is_one_value() && b.lo > 0 && a.lo / b.lo == a.hi / b.lo;
  if (one_period) return {a.lo % b.lo, a.hi % b.lo};
  // x % 0 is x, so only a divisor that is never zero bounds the result.
  const std::int64_t most = b.contains(0) ? i64_max : magnitude(b) - 1;
  return {a.lo < 0 ? std::max(a.lo, -most) : 0, a.hi > 0 ? std::min(a.hi, most) : 0};
}

// The least 2^k - 1 that is not below a non-negative value.
std::int64_t ones_up_to(std::int64_t value) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(value) + 1)) - 1;
}

Interval bitwise(BinaryOp op, Scalar scalar, Interval a, Interval b) {
  if (scalar == Scalar::boolean && op != BinaryOp::bit_xor) {
    const bool both = op == BinaryOp::bit_and;
    return both ? Interval{std::min(a.lo, b.lo), std::min(a.hi, b.hi)}
                : Interval{std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  }
  if (op == BinaryOp::bit_and) {
    if (a.lo >= 0 && b.lo >= 0) return {0, std::min(a.hi, b.hi)};
    if (a.lo >= 0 || b.lo >= 0) return {0, a.lo >= 0 ? a.hi : b.hi};
  } else if (a.lo >= 0 && b.lo >= 0) {
    const std::int64_t least = op == BinaryOp::bit_or ? std::max(a.lo, b.lo) : 0;
    return {least, ones_up_to(std::max(a.hi, b.hi))};
  }
  return full_range(scalar);
}

// Counts are taken modulo 32; a range of counts is followed only where that changes nothing.
Interval shift(BinaryOp op, Scalar scalar, Interval a, Interval count) {
  if (count.is_one_value()) count.lo = count.hi = count.lo & 31;
  if (!count.within({0, 31})) count = {0, 31};
  if (op == BinaryOp::shr) {
    return corners(a, count, [](std::int64_t x, std::int64_t n) { return x >> n; });
  }
  if (!count.is_one_value()) return a == Interval{0, 0} ? a : full_range(scalar);
  return {bounded_product(a.lo, std::int64_t{1} << count.lo),
          bounded_product(a.hi, std::int64_t{1} << count.lo)};
}

// Negative integers have a 1 above all else.
Interval leading_zeros(Scalar scalar, Interval a) {
  if (!is_followed(scalar)) return {0, 64};
  const auto above = [](std::int64_t value) {
    return std::int64_t{value < 0 ? 0 : std::countl_zero(static_cast<std::uint32_t>(value))};
  };
  return {a.lo < 0 ? 0 : above(a.hi), a.hi < 0 ? 0 : above(std::max<std::int64_t>(a.lo, 0))};
}

Interval set_bits(Scalar scalar, Interval a) {
  if (!is_followed(scalar)) return {0, 64};
  if (a.is_one_value()) {
    const std::int64_t bits = std::popcount(static_cast<std::uint32_t>(a.lo));
    return {bits, bits};
  }
  const std::int64_t least = a.contains(0) ? 0 : 1;
  if (a.lo < 0) return {least, 32};
  // Most are in the greatest 2^k - 1 that is not above.
  const std::int64_t most = std::countr_one(static_cast<std::uint64_t>(ones_up_to(a.hi)));
  return {least, a.hi == ones_up_to(a.hi) ? most : most - 1};
}

}  // namespace

Interval full_range(Scalar scalar) {
  if (scalar == Scalar::u32) return {0, u32_max};
  if (scalar == Scalar::boolean) return {0, 1};
  if (scalar == Scalar::u8) return {0, 0xff};
  if (scalar == Scalar::i8) return {-0x80, 0x7f};
  if (scalar == Scalar::u16) return {0, 0xffff};
  if (scalar == Scalar::i16) return {-0x8000, 0x7fff};
  return {-i32_max - 1, i32_max};
}

Interval hull(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

Interval meet(Interval a, Interval b) {
  const Interval common = {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
  if (common.lo <= common.hi) return common;
  const std::int64_t nearest = std::clamp(b.lo, a.lo, a.hi);
  return {nearest, nearest};
}

Interval apply(UnaryOp op, Scalar scalar, Interval a) {
  switch (op) {
    case UnaryOp::neg:
      return {-a.hi, -a.lo};
    case UnaryOp::bit_not: {
      const std::int64_t ends = full_range(scalar).lo + full_range(scalar).hi;
      return {ends - a.hi, ends - a.lo};
    }
    case UnaryOp::abs:
      return {a.lo <= 0 && a.hi >= 0 ? 0 : std::min(std::abs(a.lo), std::abs(a.hi)), magnitude(a)};
    case UnaryOp::popcount:
      return set_bits(scalar, a);
    case UnaryOp::clz:
      return leading_zeros(scalar, a);
    default:
      return full_range(scalar);
  }
}

Interval truth(BinaryOp op, Interval a, Interval b) {
  const auto can = [&](BinaryOp wanted) {
    const Interval may_be = satisfying(wanted, b);
    const bool apart = a.hi < may_be.lo || a.lo > may_be.hi;
    const bool same = a.is_one_value() && a == b;
    return !apart && !(wanted == BinaryOp::ne && same);
  };
  const std::int64_t lowest = can(negated(op)) ? 0 : 1;
  const std::int64_t highest = can(op) ? 1 : 0;
  return {std::min(lowest, highest), highest};
}

Interval apply(BinaryOp op, Scalar scalar, Interval a, Interval b) {
  using enum BinaryOp;
  switch (op) {
    case add:
      return {a.lo + b.lo, a.hi + b.hi};
    case sub:
      return {a.lo - b.hi, a.hi - b.lo};
    case mul:
      return corners(a, b, bounded_product);
    case div:
      return divide(a, b);
    case rem:
      return remainder(a, b);
    case min:
      return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    case max:
      return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    case bit_and:
    case bit_or:
    case bit_xor:
      return bitwise(op, scalar, a, b);
    case shl:
    case shr:
      return shift(op, scalar, a, b);
    case pow:
      return full_range(scalar);
    default:
      return truth(op, a, b);
  }
}

Interval wrapped(Interval exact, Scalar scalar) {
  const Interval all = full_range(scalar);
  return exact.within(all) ? exact : all;
}

Interval loop_values(Interval begin, Interval end, Interval step, Scalar scalar) {
  const Interval all = full_range(scalar);
  if (begin.lo >= end.hi) return {begin.lo, begin.lo};  // the body never runs
  Interval values = {begin.lo, end.hi - 1};
  // The test bounds the variable from above in any case; from below only if it never comes back.
  if (step.lo < 0 || values.hi + step.hi > all.hi) {
    values.lo = all.lo;
  } else if (begin.is_one_value() && step.is_one_value() && step.lo > 0) {
    values.hi = begin.lo + (values.hi - begin.lo) / step.lo * step.lo;
  }
  return values;
}

BinaryOp negated(BinaryOp op) {
  using enum BinaryOp;
  switch (op) {
    case eq:
      return ne;
    case ne:
      return eq;
    case lt:
      return ge;
    case le:
      return gt;
    case gt:
      return le;
    default:
      return lt;
  }
}

BinaryOp swapped(BinaryOp op) {
  using enum BinaryOp;
  if (op == lt) return gt;
  if (op == le) return ge;
  if (op == gt) return lt;
  return op == ge ? le : op;
}

Interval satisfying(BinaryOp op, Interval other) {
  using enum BinaryOp;
  switch (op) {
    case eq:
      return other;
    case lt:
      return {-i64_max, other.hi - 1};
    case le:
      return {-i64_max, other.hi};
    case gt:
      return {other.lo + 1, i64_max};
    case ge:
      return {other.lo, i64_max};
    default:
      return {-i64_max, i64_max};
  }
}

Interval without(Interval values, Interval other) {
  if (!other.is_one_value() || values.is_one_value()) return values;
  if (values.lo == other.lo) ++values.lo;
  if (values.hi == other.lo) --values.hi;
  return values;
}

}  // namespace vyre::ir
