// How long something may go on, as options say it: "30s", "2m", "500ms"; the budget of a search
// also as "200" evaluations.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

#include "vyre/base/error.h"

namespace vyre::cli {

// The other of the two is as good as unlimited.
struct Budget {
  std::chrono::nanoseconds time = std::chrono::hours(24);
  std::size_t evaluations = 1'000'000;
};
[[nodiscard]] Result<Budget> parse_budget(std::string_view text);

// Seconds; those of a number without a unit, too. Nothing if it is neither.
[[nodiscard]] std::optional<double> parse_seconds(std::string_view text);

}  // namespace vyre::cli
