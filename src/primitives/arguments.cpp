#include "primitives/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "primitives/shape.h"

namespace vyre::primitives {

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
