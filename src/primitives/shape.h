// Checks of shapes that all primitives share. Messages name the primitive, the argument and the
// numbers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "vyre/base/error.h"

namespace vyre::primitives {

struct Factor {
  std::string_view name;
  std::uint64_t value = 0;
};

// The product of the factors as an element count. Refuses a factor of 0 and a product over u32.
[[nodiscard]] Result<std::uint32_t> element_count(std::string_view primitive,
                                                  std::initializer_list<Factor> factors);

// "kfac_block_inverse: blocks_in has 12 elements; it must have 16".
[[nodiscard]] std::unexpected<Error> refuse(std::string_view primitive, std::string_view problem);

// Refuses a span of another length.
[[nodiscard]] Result<void> check_length(std::string_view primitive, std::string_view argument,
                                        std::uint64_t got, std::uint64_t needed);

}  // namespace vyre::primitives
