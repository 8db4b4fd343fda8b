// Checks of the shapes and arguments that primitives are given. Messages name the primitive, the
// argument and the numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>

#include "vyre/base/error.h"
#include "vyre/primitives/pipeline.h"

namespace vyre::primitives {

struct Factor {
  std::string_view name;
  std::uint64_t value = 0;
};

// The product of the factors as an element count. Refuses a factor of 0 and a product over u32.
[[nodiscard]] Result<std::uint32_t> element_count(std::string_view primitive,
                                                  std::initializer_list<Factor> factors);

// "kfac_block_inverse: blocks_in has 12 elements; it must have 16".
[[nodiscard]] Failure refuse(std::string_view primitive, std::string_view problem);

// Refuses a span of another length.
[[nodiscard]] Result<void> check_length(std::string_view primitive, std::string_view argument,
                                        std::uint64_t got, std::uint64_t needed);

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
