// The order in which the checks of a group are made; see plan.h.
#pragma once

#include <span>
#include <vector>

#include "space/plan.h"

namespace vyre::space {

// Best for up to most_exact checks over up to 64 parameters, good beyond.
inline constexpr std::size_t most_exact = 10;
[[nodiscard]] std::vector<std::size_t> order_checks(const Plan& plan,
                                                    std::span<const std::size_t> checks,
                                                    std::span<const std::uint32_t> members);

}  // namespace vyre::space
