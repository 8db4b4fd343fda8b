// How long a search may go on, as --budget says it: "30s", "2m", "500ms", or "200" evaluations.
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "vyre/base/error.h"

namespace vyre::cli {

// The other of the two is as good as unlimited.
struct Budget {
  std::chrono::nanoseconds time = std::chrono::hours(24);
  std::size_t evaluations = 1'000'000;
};
[[nodiscard]] Result<Budget> parse_budget(std::string_view text);

}  // namespace vyre::cli
