#include "primitives/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace vyre::primitives {

Failure refuse(std::string_view primitive, std::string_view problem) {
  return fail(ErrorKind::input, fmt::format("{}: {}", primitive, problem));
}

Result<std::uint32_t> element_count(std::string_view primitive,
                                    std::initializer_list<Factor> factors) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  std::string names;
  std::string values;
  std::uint64_t product = 1;
  for (const auto& [name, value] : factors) {
    if (value == 0) return refuse(primitive, fmt::format("{} is 0; it must be at least 1", name));
    names += fmt::format("{}{}", names.empty() ? "" : " * ", name);
    values += fmt::format("{}{}", values.empty() ? "" : " * ", value);
    // Once over the limit it stays there: no factor is 0.
    product = value > most || product > most ? most + 1 : product * value;
  }
  if (product > most) {
    return refuse(primitive, fmt::format("{} = {} elements is over {}", names, values, most));
  }
  return static_cast<std::uint32_t>(product);
}

Result<void> check_length(std::string_view primitive, std::string_view argument, std::uint64_t got,
                          std::uint64_t needed) {
  if (got == needed) return {};
  return refuse(primitive,
                fmt::format("{} has {} elements; it must have {}", argument, got, needed));
}

Result<void> check_fits(std::string_view primitive, const Array& array, Scalar element,
                        std::size_t count) {
  auto fits = array.check(element, count);
  if (!fits) return refuse(primitive, fits.error().message);
  return fits;
}

Result<void> check_finite(std::string_view primitive, std::string_view argument,
                          std::span<const float> values) {
  const auto bad = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
  if (bad == values.end()) return {};
  return refuse(primitive, fmt::format("{}[{}] is {}; it must be finite", argument,
                                       bad - values.begin(), *bad));
}

}  // namespace vyre::primitives
