// The functions that an expression can call: their names, how many arguments they take, and what
// they give.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "space/datum.h"
#include "space/syntax.h"

namespace vyre::space {

[[nodiscard]] std::optional<Function> function_named(std::string_view name);
[[nodiscard]] bool takes(Function function, std::size_t arguments);
// Requires a number of arguments that it takes.
[[nodiscard]] Faulty<Datum> call(Function function, std::span<const Datum> arguments);

}  // namespace vyre::space
