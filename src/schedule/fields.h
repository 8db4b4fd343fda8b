// The parameters of a schedule, by name: one table for text, for spaces and for reading both.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "vyre/schedule/schedule.h"

namespace vyre::schedule {

// A field that holds a number.
struct Field {
  std::string_view name;
  std::uint32_t& (*of)(Schedule&);
};
[[nodiscard]] std::span<const Field> fields();

inline constexpr std::string_view order_name = "order";

// Sets one parameter from its text. The error names it.
[[nodiscard]] Result<void> set_field(Schedule& schedule, std::string_view name,
                                     std::string_view value);

}  // namespace vyre::schedule
