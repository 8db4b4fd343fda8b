#include "compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vyre::bench {
namespace {

std::string float_difference(std::span<const float> a, std::span<const float> b) {
  float largest = 0;
  for (const float value : b) largest = std::max(largest, std::fabs(value));
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float allowed = 1e-3F * std::fabs(b[i]) + 2e-5F * largest;
    if (!(std::fabs(a[i] - b[i]) <= allowed)) {
      return fmt::format("[{}] is {} and {}", i, a[i], b[i]);
    }
  }
  return {};
}

std::string integer_difference(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                               double may_differ) {
  std::size_t different = 0, last = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    ++different;
    last = i;
  }
  if (static_cast<double>(different) <= may_differ * static_cast<double>(a.size())) return {};
  return fmt::format("{} of {} differ, [{}] is {} and {}", different, a.size(), last, a[last],
                     b[last]);
}

template <class T>
std::span<const T> values(const Array& array) {
  return {reinterpret_cast<const T*>(array.bytes.data()), array.bytes.size() / sizeof(T)};
}

}  // namespace

std::string difference(const Arguments& a, const Arguments& b, double may_differ) {
  for (std::size_t i = 0; i < a.arrays().size(); ++i) {
    const Array &one = a.arrays()[i], &other = b.arrays()[i];
    if (one.access == Access::read) continue;
    const std::string where = one.element == Scalar::f32
                                  ? float_difference(values<float>(one), values<float>(other))
                                  : integer_difference(values<std::uint32_t>(one),
                                                       values<std::uint32_t>(other), may_differ);
    if (!where.empty()) return one.name + where;
  }
  return {};
}

}  // namespace vyre::bench
