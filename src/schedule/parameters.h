// The parameters of all steps by name, and their values as spaces and texts have them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "vyre/base/error.h"
#include "vyre/schedule/schedule.h"
#include "vyre/space/value.h"

namespace vyre::schedule {

// Its place in parameters(), if there is such a parameter.
[[nodiscard]] std::optional<std::size_t> find_parameter(std::string_view name);

// Requires: there is such a parameter, and it can have this value.
[[nodiscard]] space::Value value_of(std::string_view name, std::uint32_t value);

// The error names the parameter.
[[nodiscard]] Result<std::uint32_t> parse_value(const Parameter& parameter, std::string_view text);

}  // namespace vyre::schedule
