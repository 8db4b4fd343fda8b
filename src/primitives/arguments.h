// Checks of what callers pass to the objects of primitives. Messages name the primitive, the
// argument and the numbers.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "vyre/base/error.h"
#include "vyre/primitives/array.h"

namespace vyre::primitives {

// "softmax: times has 12 elements; it must have 16".
[[nodiscard]] Result<void> check_fits(std::string_view primitive, const Array& array,
                                      Scalar element, std::size_t count);

template <class T>
[[nodiscard]] Result<void> check_fits(std::string_view primitive, const Array& array,
                                      std::span<T> values) {
  return check_fits(primitive, array, scalar_of<std::remove_const_t<T>>, values.size());
}

// "newton_schulz_inverse_sqrt: m[7] is nan; it must be finite".
[[nodiscard]] Result<void> check_finite(std::string_view primitive, std::string_view argument,
                                        std::span<const float> values);

}  // namespace vyre::primitives
