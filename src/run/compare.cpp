#include "run/compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/check.h"
#include "ir/visit.h"
#include "run/data.h"

namespace vyre::run {
namespace {

constexpr std::uint64_t never_equal = std::numeric_limits<std::uint64_t>::max();

template <class Float, class Bits>
std::uint64_t ulps(Float a, Float b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  if (std::isnan(a) || std::isnan(b)) return never_equal;
  const auto ordered = [](Float x) {
    const std::uint64_t bits = std::bit_cast<Bits>(x);
    const std::uint64_t sign = std::uint64_t{1} << (sizeof(Bits) * 8 - 1);
    return (bits & sign) != 0 ? sign - (bits & ~sign) : sign + bits;
  };
  const std::uint64_t x = ordered(a);
  const std::uint64_t y = ordered(b);
  return x > y ? x - y : y - x;
}

template <class T>
std::uint64_t distance(T a, T b) {
  if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Half>) {
    return ulps_between(a, b);
  } else {
    return a == b ? 0 : never_equal;
  }
}

template <class T>
Comparison compare_as(Scalar element, std::span<const std::byte> expected,
                      std::span<const std::byte> got, std::uint64_t bound) {
  Comparison made;
  for (std::size_t i = 0; i < expected.size() / sizeof(T); ++i) {
    T a;
    T b;
    std::memcpy(&a, expected.data() + i * sizeof(T), sizeof(T));
    std::memcpy(&b, got.data() + i * sizeof(T), sizeof(T));
    const std::uint64_t apart = distance(a, b);
    made.worst_ulp = std::max(made.worst_ulp, apart);
    if (apart > bound && !made.first) {
      made.first = {i, element_text(expected, element, i), element_text(got, element, i)};
    }
  }
  return made;
}

std::uint64_t own_bound(const ir::Expr& expr) {
  if (const auto* unary = ir::as<ir::Unary>(expr)) return 1 + ir::ulps(unary->op);
  const auto* binary = ir::as<ir::Binary>(expr);
  return binary == nullptr ? 0 : 1 + ir::ulps(binary->op, binary->left.type().scalar);
}

std::uint64_t largest_bound(const auto& node) {
  std::uint64_t bound = default_ulp_bound;
  ir::for_each_expr(node, [&](const ir::Expr& e) { bound = std::max(bound, own_bound(e)); });
  return bound;
}

}  // namespace

std::uint64_t ulp_bound(const ir::Expr& expr) { return largest_bound(expr); }
std::uint64_t ulp_bound(const ir::Program& program) { return largest_bound(program); }

std::uint64_t ulps_between(float a, float b) { return ulps<float, std::uint32_t>(a, b); }
std::uint64_t ulps_between(double a, double b) { return ulps<double, std::uint64_t>(a, b); }
std::uint64_t ulps_between(Half a, Half b) { return ulps<Half, std::uint16_t>(a, b); }

bool is_exact(const ir::Program& program) {
  return !program.reassociate &&
         !ir::any_expr(program, [](const ir::Expr& e) { return own_bound(e) > 1; });
}

Comparison compare(Scalar element, std::span<const std::byte> expected,
                   std::span<const std::byte> got, std::uint64_t ulp_bound) {
  check(expected.size() == got.size(), "compared buffers have equal lengths");
  switch (element) {
    case Scalar::f32:
      return compare_as<float>(element, expected, got, ulp_bound);
    case Scalar::f64:
      return compare_as<double>(element, expected, got, ulp_bound);
    case Scalar::f16:  // few last places of f32 are at most the next f16
      return compare_as<Half>(element, expected, got, std::min<std::uint64_t>(ulp_bound, 1));
    case Scalar::boolean:
    case Scalar::u8:
    case Scalar::i8:
      return compare_as<std::uint8_t>(element, expected, got, 0);
    case Scalar::u16:
    case Scalar::i16:
      return compare_as<std::uint16_t>(element, expected, got, 0);
    case Scalar::u64:
    case Scalar::i64:
      return compare_as<std::uint64_t>(element, expected, got, 0);
    default:
      return compare_as<std::uint32_t>(element, expected, got, 0);
  }
}

}  // namespace vyre::run
